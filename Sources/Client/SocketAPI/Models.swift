/// A model, as `voicegate models` lists it.
public struct ModelReply: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// Each file is correct.
        case verified
        /// Some files are not; `faults` names them. It is not loaded.
        case damaged
        /// In no catalogue, and not added. It is not loaded.
        case unknown
        /// Not installed.
        case absent
    }

    /// `nil` for a folder that is in no catalogue.
    public var id: String?
    /// BCP 47, if known.
    public var language: String?
    public var name: String?
    public var description: String?
    public var source: String?
    public var package: String?
    public var licence: String?
    public var folder: String?
    public var state: State
    /// Such as `en-us/means was changed`.
    public var faults: [String]
    /// Whether recognisers load it.
    public var isUsed: Bool

    public init(
        id: String?, language: String? = nil, name: String? = nil, description: String? = nil, source: String? = nil,
        package: String? = nil, licence: String? = nil, folder: String?, state: State, faults: [String] = [],
        isUsed: Bool
    ) {
        self.id = id
        self.language = language
        self.name = name
        self.description = description
        self.source = source
        self.package = package
        self.licence = licence
        self.folder = folder
        self.state = state
        self.faults = faults
        self.isUsed = isUsed
    }
}

/// `GET /v1/speech-models`
public struct ModelListReply: Sendable, Hashable, Codable {
    public var models: [ModelReply]

    public init(models: [ModelReply]) { self.models = models }
}

/// `POST /v1/speech-models` (adds) and `POST /v1/speech-models/verify`.
public struct ModelRequest: Sendable, Hashable, Codable {
    /// The absolute path of a model's folder, or the name of a model.
    public var folder: String?
    /// The name to add it under.
    public var id: String?

    public init(folder: String? = nil, id: String? = nil) {
        self.folder = folder
        self.id = id
    }
}
