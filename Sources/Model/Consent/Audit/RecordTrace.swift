/// The chain around one record: its causes back to the notice, and its consequences up to the erasure.
public struct RecordTrace: Sendable, Hashable {
    public enum Target: Sendable, Hashable {
        /// UUID, or the beginning of one.
        case session(String)
        case index(UInt64)

        public func contains(_ record: AuditRecord) -> Bool {
            switch self {
            case .session(let identifier):
                record.kind == RecordKind.sessionStarted.rawValue
                    && record.fields["session"]?.string?.hasPrefix(identifier) == true
            case .index(let index): record.index == index
            }
        }
    }

    /// A session's use of a resource, and the grant that permitted it.
    public struct Ground: Sendable, Hashable {
        /// Of the session's start.
        public let session: UInt64
        public let resource: String
        /// The record of the grant; `nil` if the records have none that was in force.
        public let decision: UInt64?
    }

    /// In the order in which they happened.
    public let records: [AuditRecord]
    /// Of every session in the chain.
    public let grounds: [Ground]

    /// Whether every session had a grant for each resource that it used.
    public var isGrounded: Bool { grounds.allSatisfy { $0.decision != nil } }

    /// - Parameter known: the records of the target's client, oldest first, and those that name no client.
    /// - Returns: `nil` when the target is not among them.
    public init?(of target: Target, in known: [AuditRecord]) {
        let targets = known.filter(target.contains)
        guard !targets.isEmpty else { return nil }
        let origin = Set(targets.map(\.index))
        var chosen = origin
        // Links lead to earlier records alone, so one pass in each direction finds all of them.
        var links = RecordLinks()
        for record in known.reversed() where origin.contains(record.index) || links.name(record) {
            chosen.insert(record.index)
            links.insert(record)
        }
        var names = RecordNames()
        for record in known where origin.contains(record.index) || RecordLinks(record).name(names) {
            chosen.insert(record.index)
            names.insert(record)
        }
        records = known.filter { chosen.contains($0.index) }
        let decisions = Decisions(known)
        grounds = records.filter { $0.kind == RecordKind.sessionStarted.rawValue && !$0.isErased }
            .flatMap { session in
                (session.fields["grants"]?.object?.keys.sorted() ?? []).map { resource in
                    Ground(
                        session: session.index, resource: resource,
                        decision: decisions.grant(to: resource, of: session)?.index)
                }
            }
    }

    /// The records that made and ended grants.
    private struct Decisions {
        private static let grants = Set([RecordKind.granted, .renewed].map(\.rawValue))
        private static let ends = Set([RecordKind.denied, .withdrawn, .expired].map(\.rawValue))

        private let given: [Int64: AuditRecord]
        private let ended: [AuditRecord]

        init(_ records: [AuditRecord]) {
            let grants = records.filter { Self.grants.contains($0.kind) }
            given = Dictionary(grants.map { (Int64(clamping: $0.index), $0) }) { first, _ in first }
            ended = records.filter { Self.ends.contains($0.kind) }
        }

        /// The grant that the session names, if it was in force when the session began.
        func grant(to resource: String, of session: AuditRecord) -> AuditRecord? {
            guard let named = session.fields["decisionRecords"]?.object?[resource]?.integer,
                let decision = given[named],
                decision.index < session.index
            else { return nil }
            // If erased, only its kind is known.
            guard !decision.isErased else { return decision }
            let isOver = ended.contains {
                (decision.index..<session.index).contains($0.index) && isAbout($0, resource, session)
            }
            return isAbout(decision, resource, session) && !isOver ? decision : nil
        }

        private func isAbout(_ record: AuditRecord, _ resource: String, _ session: AuditRecord) -> Bool {
            record.fields["resource"]?.string == resource && record.fields["client"] == session.fields["client"]
                && record.fields["user"] == session.fields["user"]
        }
    }
}

/// The references of records to earlier records.
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

/// The names by which later records refer to records.
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
