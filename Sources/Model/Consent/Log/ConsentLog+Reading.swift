import Authorization
import Foundation

extension ConsentLog {
    private static let pageSize = 256

    /// The records that the filter admits, oldest first.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func records(matching filter: AuditFilter = AuditFilter()) async throws -> [AuditRecord] {
        // Read from the end, because the limit keeps the last ones.
        var found: [AuditRecord] = []
        var before: Int64?
        let limit = filter.limit ?? .max
        while found.count < limit {
            let page = try await storage.records(of: [], before: before, limit: Self.pageSize)
            for stored in page.reversed() where found.count < limit {
                let record = try Self.opened(stored)
                if filter.admits(record) { found.append(AuditRecord(record)) }
            }
            guard let first = page.first, page.count == Self.pageSize else { break }
            before = first.index
        }
        return found.reversed()
    }

    /// The last record of one of the kinds, or `nil` when there is none.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func lastRecord(of kinds: RecordKind...) async throws -> AuditRecord? {
        let last = try await storage.records(of: kinds.map(\.rawValue), before: nil, limit: 1).last
        return try last.map { AuditRecord(try Self.opened($0)) }
    }

    /// The records of the kinds, oldest first.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    func records(of kinds: [RecordKind]) async throws -> [ConsentRecord] {
        try await storage.records(of: kinds.map(\.rawValue), before: nil, limit: .max).map(Self.opened)
    }

    /// Tells the records of the kinds, oldest first, a page at a time: there may be millions.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    func forEachRecord(of kinds: Set<RecordKind>, _ body: (ConsentRecord) throws -> Void) async throws {
        let size = Int64(clamping: tree.size)
        for start in stride(from: 0, to: size, by: Int64.Stride(Self.pageSize)) {
            let page = try await storage.records(in: start..<min(start + Int64(Self.pageSize), size))
            for stored in page where kinds.contains(RecordKind(rawValue: stored.kind)) {
                try body(try Self.opened(stored))
            }
        }
    }

    static func opened(_ stored: StoredRecord) throws -> ConsentRecord {
        do throws(RecordProblem) {
            return try ConsentRecord(stored)
        } catch {
            throw ConsentError(
                code: .corrupt, message: "\(error.message) Run `voicegate audit verify` to check the whole log.")
        }
    }
}

extension ConsentLog {
    /// Reads backwards until all of them are found; what was erased of the records themselves is not told.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] {
        let kinds = [RecordKind.dataRetained, .dataErased, .denied, .withdrawn].map(\.rawValue)
        let limit = 256
        var traces: [String: ItemTrace] = [:]
        var missing = items
        var withdrawn: Set<DecisionKey> = []
        var before: Int64?
        while !missing.isEmpty {
            let page = try await storage.records(of: kinds, before: before, limit: limit)
            for record in try page.reversed().map(Self.opened) {
                switch record.kind {
                case .dataErased:
                    let erased = record.fields["items"]?.array?.compactMap(\.string) ?? []
                    for item in erased where missing.contains(item) {
                        traces[item, default: ItemTrace()].isErased = true
                    }
                case .dataRetained:
                    guard let item = record.fields["item"]?.string, missing.remove(item) != nil else { continue }
                    let taken = Resource.allCases.filter { record.key(for: $0).map(withdrawn.contains) ?? false }
                    traces[item, default: ItemTrace()].withdrawn = Set(taken)
                default:
                    let resource = record.fields["resource"]?.string.flatMap(Resource.init(rawValue:))
                    if let key = resource.flatMap(record.key) { withdrawn.insert(key) }
                }
            }
            guard let first = page.first, page.count == limit else { break }
            before = first.index
        }
        return traces
    }
}

extension ConsentRecord {
    fileprivate func key(for resource: Resource) -> DecisionKey? {
        guard let user = fields["user"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let client = fields["client"]?.string.flatMap(ClientIdentifier.init(rawValue:))
        else { return nil }
        return DecisionKey(user: user, client: client, resource: resource)
    }
}

extension ConsentLog {
    /// The monitors that were registered and not removed, as the records say. Their records are their only place.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func monitors() async throws -> [MonitorRegistration] {
        var found: [MonitorRegistration] = []
        for record in try await records(of: [.monitorRegistered, .monitorRemoved]) {
            guard let identifier = record.fields["monitor"]?.string else { continue }
            if record.kind == .monitorRemoved {
                found.removeAll { $0.identifier == identifier }
            } else if let monitor = Self.monitor(record) {
                found.append(monitor)
            }
        }
        return found
    }

    /// - Returns: `nil` where the fields were erased.
    private static func monitor(_ record: ConsentRecord) -> MonitorRegistration? {
        guard let identifier = record.fields["monitor"]?.string,
            let user = record.fields["user"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let client = record.fields["client"]?.string.flatMap(ClientIdentifier.init(rawValue:)),
            let name = record.fields["waitsFor"]?.string,
            let kind = MonitorKind(name: name, phrase: record.fields["phrase"]?.string),
            let action = record.fields["action"]?.string.flatMap(MonitorAction.init(rawValue:))
        else { return nil }
        return MonitorRegistration(identifier: identifier, user: user, client: client, kind: kind, action: action)
    }
}

/// That a checkpoint left this machine, so that somebody else may hold it.
public struct CheckpointPublication: Sendable, Hashable {
    /// Records that the log had.
    public let size: UInt64
    public let destination: String
    public let time: Timestamp
}

extension ConsentLog {
    /// Where checkpoints went, oldest first, as their records say.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public nonisolated func publications() async throws -> [CheckpointPublication] {
        try await storage.records(of: [RecordKind.checkpointPublished.rawValue], before: nil, limit: .max).compactMap {
            let record = try Self.opened($0)
            guard let size = record.fields["size"]?.integer.flatMap({ UInt64(exactly: $0) }),
                let destination = record.fields["destination"]?.string
            else { return nil }
            return CheckpointPublication(size: size, destination: destination, time: record.time)
        }
    }
}

extension ConsentLog {
    /// Reads the records of a few kinds; what was erased is not remembered.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func recollection() async throws -> LedgerRecollection {
        LedgerRecollection(
            notices: try await records(of: [.noticeShown]).compactMap(\.shownNotice),
            decisionRecords: try await decisionRecords(), openSessions: try await openSessions())
    }

    /// UUIDs of sessions that have a start and no end, in the order of their starts.
    private func openSessions() async throws -> [String] {
        var open: [String] = []
        try await forEachRecord(of: [.sessionStarted, .sessionStopped, .recovery]) { record in
            let session = record.fields["session"]?.string
            switch record.kind {
            case .sessionStarted: open += session.map { [$0] } ?? []
            case .sessionStopped: open.removeAll { $0 == session }
            default:
                let told = Set(record.fields["sessions"]?.array?.compactMap(\.string) ?? [])
                open.removeAll { told.contains($0) }
            }
        }
        return open
    }

    /// Decisions that version 2 or an earlier one stored do not name their records.
    private func decisionRecords() async throws -> [DecisionKey: UInt64] {
        let unknown = Set(try await storage.decisions().filter { $0.record == nil }.map(\.key))
        guard !unknown.isEmpty else { return [:] }
        var found: [DecisionKey: UInt64] = [:]
        try await forEachRecord(of: [.granted, .denied]) { record in
            guard case .store(let stored)? = record.fields["change"].flatMap(StoredChange.init(json:)),
                unknown.contains(stored.key), let key = stored.decision?.key
            else { return }
            found[key] = record.index
        }
        return found
    }
}

extension ConsentRecord {
    fileprivate var shownNotice: ShownNotice? {
        guard let user = fields["user"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let client = fields["client"]?.string.flatMap(ClientIdentifier.init(rawValue:)),
            let resource = fields["resource"]?.string.flatMap(Resource.init(rawValue:)),
            let language = fields["language"]?.string.flatMap(Language.init(rawValue:)),
            let name = fields["clientName"]?.string, let text = fields["notice"]?.string,
            fields["question"]?.string != "temporaryFullFidelity"
        else { return nil }
        let key = DecisionKey(user: user, client: client, resource: resource)
        return ShownNotice(subject: .init(key: key, language: language), clientName: name, text: text)
    }
}
