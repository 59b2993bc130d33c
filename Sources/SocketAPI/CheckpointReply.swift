/// The answer to `POST /v1/audit/checkpoint`.
public struct CheckpointReply: Sendable, Hashable, Codable {
    /// A signed note (https://c2sp.org/signed-note) whose text is a checkpoint (https://c2sp.org/tlog-checkpoint).
    public let checkpoint: String
    /// Verifier keys of the log, newest last.
    public let keys: [String]

    public init(checkpoint: String, keys: [String]) {
        self.checkpoint = checkpoint
        self.keys = keys
    }
}
