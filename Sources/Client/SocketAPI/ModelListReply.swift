/// `GET /v1/speech-models`
public struct ModelListReply: Sendable, Hashable, Codable {
    public var models: [ModelReply]

    public init(models: [ModelReply]) { self.models = models }
}
