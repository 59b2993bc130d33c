import Foundation

/// The known models, from `Sources/Adapters/SpeechModels/catalogue.json`.
public struct ModelCatalogue: Sendable, Hashable, Codable {
    public let models: [CatalogueEntry]

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
}
