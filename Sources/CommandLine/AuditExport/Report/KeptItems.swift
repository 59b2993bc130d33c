import Consent

/// Kept and erased items, in bounded memory.
struct KeptItems: Sendable {
    static let limit = 5_000

    struct Erasure: Sendable {
        let record: UInt64
        let milliseconds: Int64
        let client: String?
        let kinds: [String]
        let items: Int
        /// Records whose fields were erased.
        let records: Int
        let reason: String?
    }

    private var open: [String: ConsentRecord] = [:]
    private(set) var retained = 0
    private(set) var erased = 0
    /// Kept items beyond the limit, which are only counted.
    private(set) var uncounted = 0
    private(set) var erasures = Newest<Erasure>(40)
    /// The records whose fields an erasure lists, at most `limit` ranges.
    private(set) var erasedRecords: [ClosedRange<Int>] = []

    mutating func retain(_ record: ConsentRecord) {
        retained += 1
        guard let identifier = record[.item], open.count < Self.limit else {
            uncounted += 1
            return
        }
        open[identifier] = record
    }

    mutating func erase(_ record: ConsentRecord, at milliseconds: Int64) {
        let items = record[.items] ?? []
        erased += items.count
        for item in items where open.removeValue(forKey: item) == nil && uncounted > 0 { uncounted -= 1 }
        let ranges = record.erasedRecords
        erasedRecords += ranges.prefix(Self.limit - erasedRecords.count)
        erasures.append(
            Erasure(
                record: record.index, milliseconds: milliseconds, client: record.text(.client),
                kinds: record.texts(.dataKinds) ?? [], items: items.count,
                records: ranges.reduce(0) { $0 + $1.count }, reason: record[.reason]))
    }

    var keptNow: Int { open.count + uncounted }

    /// The records of the kept items, newest first.
    var items: [ConsentRecord] { open.values.sorted { $0.index > $1.index } }

    /// Items past their retention period.
    func overdue(at now: Int64) -> [ConsentRecord] { items.filter { Self.end(of: $0).map { $0 < now } ?? false } }

    /// Milliseconds since 1970; `nil`: when the permission is withdrawn.
    static func end(of item: ConsentRecord) -> Int64? { item[.until].flatMap(Timestamp.init)?.milliseconds }
}
