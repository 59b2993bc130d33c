/// What records tell of a kept item.
public struct ItemTrace: Sendable, Hashable {
    /// The record of its erasure is in the log.
    public var isErased: Bool
    /// Permissions that its user took back from its client, or refused it, after it was recorded as kept.
    public var withdrawn: Set<Resource>

    public init(isErased: Bool = false, withdrawn: Set<Resource> = []) {
        self.isErased = isErased
        self.withdrawn = withdrawn
    }
}
