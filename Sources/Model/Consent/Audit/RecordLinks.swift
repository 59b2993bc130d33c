/// What records name of earlier ones: those that they stand on, or tell of.
struct RecordLinks {
    /// Indexes of records.
    private var records: Set<UInt64> = []
    /// Ranges of records whose fields are said to be erased.
    private var erased: [ClosedRange<Int>] = []
    private var sessions: Set<String> = []
    private var items: Set<String> = []
    private var leases: Set<String> = []
    private var requests: Set<String> = []

    init() {}

    init(_ record: AuditRecord) { insert(record) }

    /// Adds what the record names.
    mutating func insert(_ record: AuditRecord) {
        let fields = record.fields
        let named = ["askedRecord", "noticeRecord", "decisionRecord", "fidelityRecord"].compactMap { fields[$0] }
        let decisions = fields["decisionRecords"]?.object.map { Array($0.values) } ?? []
        records.formUnion((named + decisions).compactMap { $0.integer.flatMap { UInt64(exactly: $0) } })
        erased += ErasedRecords.ranges(fields["records"])
        sessions.formUnion([fields["session"]?.string].compactMap { $0 })
        items.formUnion(fields["items"]?.array?.compactMap(\.string) ?? [])
        leases.formUnion(fields["leases"]?.array?.compactMap(\.string) ?? [])
        requests.formUnion([fields["request"]?.string].compactMap { $0 })
    }

    /// Whether any of them names the record.
    func name(_ record: AuditRecord) -> Bool {
        let place = Int(clamping: record.index)
        if records.contains(record.index) || erased.contains(where: { $0.contains(place) }) { return true }
        return name(RecordNames(record))
    }

    /// Whether any of them names something that bears one of the names.
    func name(_ names: RecordNames) -> Bool {
        !records.isDisjoint(with: names.indexes) || !sessions.isDisjoint(with: names.sessions)
            || !items.isDisjoint(with: names.items) || !leases.isDisjoint(with: names.leases)
            || !requests.isDisjoint(with: names.requests)
            || !erased.isEmpty
                && names.indexes.contains { index in erased.contains { $0.contains(Int(clamping: index)) } }
    }
}
