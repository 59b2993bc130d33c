/// Answer to `POST /v1/audit/checkpoint` and `POST /v1/audit/keys`.
public struct CheckpointReply: Sendable, Hashable, Codable {
    /// The signed note.
    public let checkpoint: String
    /// Verifier keys of the log, newest last.
    public let keys: [String]

    public init(checkpoint: String, keys: [String]) {
        self.checkpoint = checkpoint
        self.keys = keys
    }
}
