import Authorization

extension ItemStore {
    /// Makes up for what happened while the service did not run, or was interrupted in. Call before anything else, once.
    ///
    /// - Throws: then nothing may be kept; `eraseDue` tries it again.
    public func recover() async throws {
        isBehind = true
        try await makeUp()
        wake()
    }

    func makeUp() async throws {
        let now = moment()
        let lastSeen = try await table.lastSeen()
        let entries = try await table.entries()
        try await table.note(now, anchoring: entries.map { $0.item.anchored(to: now, lastSeen: lastSeen) })
        _ = try await table.beginErasing(for: .incomplete) { $0.state == .writing }
        try await compareWithRecords(entries)
        try await eraseEnded()
        let known = Set(try await table.entries().map(\.item.identifier))
        try await folder.remove(try await folder.names().filter { !known.contains($0) })
        isBehind = false
    }

    /// The table is changed before or after the log: what was recorded as erased is not recorded again, and what was
    /// heard with a permission that was taken back goes.
    private func compareWithRecords(_ entries: [KeptEntry]) async throws {
        let identifiers = Set(entries.map(\.item.identifier))
        // A log that cannot be read must not keep from erasing what has come to its end.
        guard !identifiers.isEmpty, let traces = try? await ledger.traces(of: identifiers) else { return }
        recorded.formUnion(traces.filter(\.value.isErased).keys)
        _ = try await table.beginErasing(for: .withdrawn) { entry in
            guard entry.state == .kept, let trace = traces[entry.item.identifier] else { return false }
            return !trace.withdrawn.isDisjoint(with: entry.item.resources)
        }
    }
}
