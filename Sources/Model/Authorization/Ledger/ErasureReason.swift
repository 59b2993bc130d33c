/// Why data was erased.
public enum ErasureReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// The time for which it was kept is over.
    case retentionEnded
    /// The person took back the yes that it was kept on.
    case withdrawn
    /// The person asked for it (`voicegate audit erase`).
    case requested
    /// The service ended while it was being written; it was never readable.
    case incomplete
}
