/// Where a log's keys and its last signed checkpoint are kept, apart from the records: what the log has promised must not
/// be put back together with them.
public protocol CheckpointStore: Sendable {
    /// - Parameters:
    ///   - origin: the log's, which is the keys' name.
    ///   - hasSigned: whether a checkpoint of this log is known, so that there was a key.
    /// - Returns: the keys; new ones where there never were any.
    func keys(origin: String, hasSigned: Bool) async throws -> LogKeys

    /// Durable when it returns.
    func replace(_ keys: LogKeys) async throws

    /// - Returns: the last signed checkpoint, not verified; `nil` when none was signed yet.
    func lastCheckpoint() async throws -> SignedNote?

    /// Durable when it returns.
    func replace(_ checkpoint: SignedNote) async throws
}
