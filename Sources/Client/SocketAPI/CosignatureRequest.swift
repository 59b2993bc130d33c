/// `POST /v1/audit/cosignatures`; answered with a `CosignatureReply`.
public struct CosignatureRequest: Sendable, Hashable, Codable {
    /// A checkpoint of this log with the signatures of witnesses below it.
    public let checkpoint: String

    public init(checkpoint: String) { self.checkpoint = checkpoint }
}
