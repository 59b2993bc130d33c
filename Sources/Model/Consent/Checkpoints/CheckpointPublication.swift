/// That a checkpoint left this machine, so that somebody else may hold it.
public struct CheckpointPublication: Sendable, Hashable {
    /// Records that the log had.
    public let size: UInt64
    public let destination: String
    public let time: Timestamp
}
