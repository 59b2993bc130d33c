import Authorization

/// An item as the table holds it.
public struct KeptEntry: Sendable, Hashable {
    public let item: KeptItem
    public let state: KeptState
    /// While it is being erased.
    public let reason: ErasureReason?

    public init(item: KeptItem, state: KeptState, reason: ErasureReason? = nil) {
        self.item = item
        self.state = state
        self.reason = reason
    }
}
