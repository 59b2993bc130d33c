/// The names by which later records speak of some.
struct RecordNames {
    private(set) var indexes: Set<UInt64> = []
    private(set) var sessions: Set<String> = []
    private(set) var items: Set<String> = []
    private(set) var leases: Set<String> = []
    private(set) var requests: Set<String> = []

    init() {}

    init(_ record: AuditRecord) { insert(record) }

    mutating func insert(_ record: AuditRecord) {
        let fields = record.fields
        indexes.insert(record.index)
        switch RecordKind(rawValue: record.kind) {
        case .sessionStarted:
            sessions.formUnion([fields["session"]?.string].compactMap { $0 })
            leases.formUnion(fields["grants"]?.object?.values.compactMap(\.string) ?? [])
        case .dataRetained: items.formUnion([fields["item"]?.string].compactMap { $0 })
        case .requestReceived: requests.formUnion([fields["request"]?.string].compactMap { $0 })
        default: break
        }
    }
}
