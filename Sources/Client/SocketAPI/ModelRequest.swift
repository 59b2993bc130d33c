/// `POST /v1/speech-models` (adds) and `POST /v1/speech-models/verify`.
public struct ModelRequest: Sendable, Hashable, Codable {
    /// The whole path of a model's folder, or the name of a model.
    public var folder: String?
    /// The name that it is to have.
    public var id: String?

    public init(folder: String? = nil, id: String? = nil) {
        self.folder = folder
        self.id = id
    }
}
