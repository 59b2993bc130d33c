/// Rebuilds the stored decisions from the records that changed them.
struct DecisionReplay {
    private struct Entry {
        let decision: StoredDecision?
        let index: Int64
        /// Decisions of schema 1 may be stored without the record that made them.
        let isOld: Bool

        func explains(_ stored: StoredDecision?) -> Bool {
            guard isOld, var decision, stored?.record == nil else { return decision == stored }
            decision.record = nil
            return decision == stored
        }
    }

    private var entries: [StoredDecision.Key: Entry] = [:]

    /// A record whose change was erased is passed over: what a decision in force stands on is never erased, and so every
    /// decision that is stored has its record.
    mutating func apply(_ record: ConsentRecord) throws(RecordProblem) {
        let index = Int64(clamping: record.index)
        guard let json = record.fields["change"] else { return }
        guard let change = StoredChange(json: json) else {
            throw RecordProblem(.decisionWrong, index, "its change of the decisions cannot be read")
        }
        let isOld = record.previous != nil
        switch change.made(by: index) {
        case .store(let decision): entries[decision.key] = Entry(decision: decision, index: index, isOld: isOld)
        case .remove(let key): entries[key] = Entry(decision: nil, index: index, isOld: isOld)
        }
    }

    func compare(with stored: [StoredDecision]) throws(RecordProblem) {
        let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        // In the order of the records, so that the first one is named.
        for (key, entry) in entries.sorted(by: { $0.value.index < $1.value.index })
        where !entry.explains(byKey[key]) {
            throw RecordProblem(
                .decisionWrong, entry.index,
                "the decision in force about \(key.resource) for \(key.client) is not the one it made")
        }
        if let stray = stored.first(where: { entries[$0.key] == nil }) {
            throw RecordProblem(
                .decisionWrong, nil,
                "a decision about \(stray.key.resource) for \(stray.key.client) is in force that no record made")
        }
    }
}
