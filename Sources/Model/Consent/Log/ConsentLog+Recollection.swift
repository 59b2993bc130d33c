import Authorization

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
