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

    var key: StoredDecision.Key {
        switch self {
        case .store(let decision): decision.key
        case .remove(let key): key
        }
    }
}
