import Authorization
import Foundation

/// An engine that recognises sound files, as `GET /v1/models` and Wyoming's `info` describe it.
public struct ServedEngine: Sendable {
    /// What the user has installed under its own name.
    public struct Source: Sendable {
        /// Of a model, or of an installed engine.
        public let id: String
        /// As the catalogue describes it.
        public let description: String
        /// Its package; `nil`: a file of this machine.
        public let package: String?
        /// `nil`: elsewhere.
        public let folder: String?
        /// Where it is from.
        public let url: String

        public init(id: String, description: String, package: String?, folder: String?, url: String) {
            (self.id, self.description, self.package) = (id, description, package)
            (self.folder, self.url) = (folder, url)
        }
    }

    public let source: Source
    public let identity: SpeechEngine
    /// BCP 47; `nil`: not declared.
    public let languages: [String]?

    public init(source: Source, identity: SpeechEngine, languages: [String]?) {
        (self.source, self.identity, self.languages) = (source, identity, languages)
    }
}

extension EngineLibrary {
    /// PocketSphinx's model, as clients are told of it.
    public func source(ofModel folder: String) -> ServedEngine.Source {
        let entry = entry(ofModel: folder)
        return ServedEngine.Source(
            id: entry.map { _ in (folder as NSString).lastPathComponent } ?? "local",
            description: entry?.description ?? "A model of this machine", package: entry?.package, folder: folder,
            url: entry?.package == nil
                ? "file://\(folder)" : entry?.source?.split(separator: " ").first.map(String.init) ?? "file://\(folder)"
        )
    }
}
