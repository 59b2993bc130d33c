import Foundation

/// The known models, from `Sources/Adapters/SpeechModels/catalogue.json`.
public struct ModelCatalogue: Sendable, Hashable, Codable {
    public let models: [CatalogueEntry]

    public init(models: [CatalogueEntry]) { self.models = models }

    /// The built-in catalogue.
    public static func builtIn() throws -> ModelCatalogue {
        try JSONDecoder().decode(ModelCatalogue.self, from: Data(PackageResources.catalogue_json))
    }

    public func entry(_ id: String) -> CatalogueEntry? { models.first { $0.id == id } }
}

/// A known model: its description, its source and the digests of its files.
public struct CatalogueEntry: Sendable, Hashable, Codable {
    public let id: String
    /// BCP 47.
    public let language: String
    public let name: String
    public let description: String
    public let source: String
    /// Its Debian package.
    public let package: String?
    /// SPDX.
    public let licence: String
    /// The folder of the package.
    public let folder: String?
    /// SHA-256 of each file in hexadecimal, by its path in the model's folder.
    public let files: [String: String]

    public init(
        id: String, language: String, name: String, description: String, source: String, package: String?,
        licence: String, folder: String?, files: [String: String]
    ) {
        self.id = id
        self.language = language
        self.name = name
        self.description = description
        self.source = source
        self.package = package
        self.licence = licence
        self.folder = folder
        self.files = files
    }
}
