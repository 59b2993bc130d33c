/// A session as it is written down before it listens.
public struct SessionDescription: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let requester: Requester
    /// The grants it stands on: identifiers of the leases, with their resources.
    public let grants: [Resource: String]
    /// The ALSA device it opens, or `nil` when it reads a file.
    public let device: String?

    public init(identifier: String, requester: Requester, grants: [Resource: String], device: String?) {
        self.identifier = identifier
        self.requester = requester
        self.grants = grants
        self.device = device
    }
}
