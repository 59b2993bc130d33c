import Authorization

/// What an append changes in the stored decisions.
public enum StoredChange: Sendable, Hashable {
    case store(StoredDecision)
    case remove(StoredDecision.Key)

    init(_ change: DecisionChange) {
        switch change {
        case .store(let decision): self = .store(StoredDecision(decision))
        case .remove(let key): self = .remove(StoredDecision.Key(key))
        }
    }

    /// The change as it is stored: a new decision names the record that makes it.
    func made(by record: Int64) -> StoredChange {
        guard case .store(var decision) = self, decision.record == nil else { return self }
        decision.record = record
        return .store(decision)
    }

    var key: StoredDecision.Key {
        switch self {
        case .store(let decision): decision.key
        case .remove(let key): key
        }
    }
}
