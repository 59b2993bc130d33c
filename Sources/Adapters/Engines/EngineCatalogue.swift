import Foundation

/// The known engines, from `Sources/Adapters/Engines/engines.json`; the built-in one first.
public struct EngineCatalogue: Sendable, Hashable, Codable {
    public let engines: [EngineEntry]

    public init(engines: [EngineEntry]) { self.engines = engines }

    /// The catalogue of this version of VoiceGate.
    public static func builtIn() throws -> EngineCatalogue {
        try JSONDecoder().decode(EngineCatalogue.self, from: Data(PackageResources.engines_json))
    }

    public func entry(_ id: String) -> EngineEntry? { engines.first { $0.id == id } }
}
