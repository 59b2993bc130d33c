import Foundation

/// The models that are known, from `Sources/Adapters/SpeechModels/catalogue.json`.
public struct ModelCatalogue: Sendable, Hashable, Codable {
    public let models: [CatalogueEntry]

    public init(models: [CatalogueEntry]) { self.models = models }

    /// The one that is built in.
    public static func builtIn() throws -> ModelCatalogue {
        try JSONDecoder().decode(ModelCatalogue.self, from: Data(PackageResources.catalogue_json))
    }

    public func entry(_ id: String) -> CatalogueEntry? { models.first { $0.id == id } }
}
