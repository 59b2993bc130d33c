/// Rebuilds the stored decisions from the records that changed them.
struct DecisionReplay {
    private struct Entry {
        let decision: StoredDecision?
        let index: Int64
    }

    private var entries: [StoredDecision.Key: Entry] = [:]
    /// False after a record whose change was erased: it may have been about any key, so only what was decided later
    /// can be compared.
    private var isComplete = true

    mutating func apply(_ record: ConsentRecord) throws(RecordProblem) {
        let index = Int64(clamping: record.index)
        guard let json = record.fields["change"] else {
            if record.missingFields > 0 {
                entries = [:]
                isComplete = false
            }
            return
        }
        guard let change = StoredChange(json: json) else {
            throw RecordProblem(.decisionWrong, index, "its change of the decisions cannot be read")
        }
        switch change {
        case .store(let decision): entries[decision.key] = Entry(decision: decision, index: index)
        case .remove(let key): entries[key] = Entry(decision: nil, index: index)
        }
    }

    func compare(with stored: [StoredDecision]) throws(RecordProblem) {
        let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        // In the order of the records, so that the first one is named.
        for (key, entry) in entries.sorted(by: { $0.value.index < $1.value.index })
        where byKey[key] != entry.decision {
            throw RecordProblem(
                .decisionWrong, entry.index,
                "the decision in force about \(key.resource) for \(key.client) is not the one it made")
        }
        if isComplete, let stray = stored.first(where: { entries[$0.key] == nil }) {
            throw RecordProblem(
                .decisionWrong, nil,
                "a decision about \(stray.key.resource) for \(stray.key.client) is in force that no record made")
        }
    }
}
