import Authorization

/// A manifest and where it was found.
public struct RegisteredClient: Sendable, Hashable {
    public let manifest: Manifest
    /// The manifest's file; `nil` for one that is built in.
    public let path: String?

    public init(manifest: Manifest, path: String?) {
        self.manifest = manifest
        self.path = path
    }
}
