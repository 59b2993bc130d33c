/// `GET /v1/models/{model}`: what recognises.
public struct OpenAIModel: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, object, created, language, aliases
        case ownedBy = "owned_by"
    }

    public var id: String
    /// Always `model`.
    public var object: String
    /// When its folder was last changed, in seconds since 1970.
    public var created: Int
    /// The Debian package that it is of, or `local`.
    public var ownedBy: String
    /// BCP 47, as far as it is known.
    public var language: String?
    /// Other names that a transcription may ask for it by.
    public var aliases: [String]

    public init(id: String, created: Int, ownedBy: String, language: String?, aliases: [String]) {
        self.id = id
        object = "model"
        self.created = created
        self.ownedBy = ownedBy
        self.language = language
        self.aliases = aliases
    }
}
