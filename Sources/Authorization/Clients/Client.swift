/// An application that asks for a resource: its identity and what its manifest declares.
public struct Client: Sendable, Hashable {
    public let identifier: ClientIdentifier
    /// `nil` for a program that no manifest describes; every request of it is refused.
    public let manifest: Manifest?

    public init(manifest: Manifest) {
        self.identifier = manifest.identifier
        self.manifest = manifest
    }

    public init(unregisteredExecutable name: String) {
        self.identifier = .unregistered(executable: name)
        self.manifest = nil
    }

    public var displayName: String { manifest?.name ?? identifier.rawValue }
}
