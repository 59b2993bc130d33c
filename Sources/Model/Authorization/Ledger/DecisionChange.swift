/// What a record changes in the stored decisions.
public enum DecisionChange: Sendable, Hashable {
    case store(Decision)
    case remove(DecisionKey)
}
