/// `GET /v1/models`
public struct OpenAIModelList: Sendable, Hashable, Codable {
    /// Always `list`.
    public var object: String
    public var data: [OpenAIModel]

    public init(_ models: [OpenAIModel]) {
        object = "list"
        data = models
    }
}
