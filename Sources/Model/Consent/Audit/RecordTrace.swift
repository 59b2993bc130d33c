import Foundation

/// The chain around one record: its causes back to the notice, and its consequences up to the erasure.
public struct RecordTrace: Sendable, Hashable {
    public enum Target: Sendable, Hashable {
        /// UUID, or the beginning of one.
        case session(String)
        case index(UInt64)

        public func contains(_ record: ConsentRecord) -> Bool {
            switch self {
            case .session(let identifier):
                record.kind == .sessionStarted && record[.session]?.hasPrefix(identifier) == true
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
    public let records: [ConsentRecord]
    /// Of every session in the chain.
    public let grounds: [Ground]

    /// Whether every session had a grant for each resource that it used.
    public var isGrounded: Bool { grounds.allSatisfy { $0.decision != nil } }

    /// - Parameter known: the records of the target's client, oldest first, and those that name no client.
    /// - Returns: `nil` when the target is not among them.
    public init?(of target: Target, in known: [ConsentRecord]) {
        let targets = known.filter(target.contains)
        guard !targets.isEmpty else { return nil }
        let origin = Set(targets.map(\.index))
        var chosen = origin
        // References lead to earlier records alone, so one pass in each direction finds all of them.
        var causes: Set<Reference> = []
        var erased = IndexSet()
        for record in known.reversed()
        where origin.contains(record.index) || !causes.isDisjoint(with: record.names)
            || erased.contains(record.place)
        {
            chosen.insert(record.index)
            causes.formUnion(record.references)
            for range in record.erasedRecords { erased.insert(integersIn: range) }
        }
        var names: Set<Reference> = []
        var followed: [Int] = []
        for record in known
        where origin.contains(record.index) || !names.isDisjoint(with: record.references)
            || record.erasedRecords.contains(where: { followed.contains(where: $0.contains) })
        {
            chosen.insert(record.index)
            names.formUnion(record.names)
            followed.append(record.place)
        }
        records = known.filter { chosen.contains($0.index) }
        let decisions = Decisions(known)
        grounds = records.filter { $0.kind == .sessionStarted && !$0.isErased }
            .flatMap { session in
                (session[.grants]?.keys.sorted() ?? []).map { resource in
                    Ground(
                        session: session.index, resource: resource,
                        decision: decisions.grant(to: resource, of: session)?.index)
                }
            }
    }

    /// The records that made and ended grants.
    private struct Decisions {
        private static let grants: Set<RecordKind> = [.granted, .renewed]
        private static let ends: Set<RecordKind> = [.denied, .withdrawn, .expired]

        private let given: [UInt64: ConsentRecord]
        private let ended: [ConsentRecord]

        init(_ records: [ConsentRecord]) {
            let grants = records.filter { Self.grants.contains($0.kind) }
            given = Dictionary(grants.map { ($0.index, $0) }) { first, _ in first }
            ended = records.filter { Self.ends.contains($0.kind) }
        }

        /// The grant that the session names, if it was in force when the session began.
        func grant(to resource: String, of session: ConsentRecord) -> ConsentRecord? {
            guard let named = session[.decisionRecords]?[resource], let decision = given[named],
                decision.index < session.index
            else { return nil }
            // If erased, only its kind is known.
            guard !decision.isErased else { return decision }
            let isOver = ended.contains {
                (decision.index..<session.index).contains($0.index) && isAbout($0, resource, session)
            }
            return isAbout(decision, resource, session) && !isOver ? decision : nil
        }

        private func isAbout(_ record: ConsentRecord, _ resource: String, _ session: ConsentRecord) -> Bool {
            record.text(.resource) == resource
                && [.client, .user].allSatisfy { record.json(of: $0) == session.json(of: $0) }
        }
    }
}

/// What records refer to, and by what later ones refer to them.
private enum Reference: Hashable {
    case record(UInt64)
    case session(String)
    case item(String)
    case lease(String)
    case request(String)
}

extension ConsentRecord {
    /// What it names, without the records whose erasure it reports.
    fileprivate var references: Set<Reference> {
        let named = [self[.askedRecord], self[.noticeRecord], self[.decisionRecord], self[.fidelityRecord]]
        let records = named.compactMap { $0 } + (self[.decisionRecords] ?? [:]).values
        return Set(
            records.map(Reference.record) + (self[.items] ?? []).map(Reference.item)
                + (self[.leases] ?? []).map(Reference.lease)
                + [self[.session].map(Reference.session), self[.request].map(Reference.request)].compactMap { $0 })
    }

    /// The names by which later records refer to it.
    fileprivate var names: Set<Reference> {
        let others: [Reference?] =
            switch kind {
            case .sessionStarted:
                [self[.session].map(Reference.session)] + (self[.grants] ?? [:]).values.map(Reference.lease)
            case .dataRetained: [self[.item].map(Reference.item)]
            case .requestReceived: [self[.request].map(Reference.request)]
            default: []
            }
        return Set(others.compactMap { $0 } + [.record(index)])
    }

    fileprivate var place: Int { Int(clamping: index) }
}
