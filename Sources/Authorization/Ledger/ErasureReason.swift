/// Why kept data was erased.
public enum ErasureReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Its time was over, or can no longer be told.
    case retentionEnded
    /// The person took back a permission that it was heard with.
    case withdrawn
    /// The person wanted it erased.
    case requested
    /// The service ended while it was being written; it was never readable.
    case incomplete
}
