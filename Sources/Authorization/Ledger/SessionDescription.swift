/// A session as it is written down before it listens.
public struct SessionDescription: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let requester: Requester
    /// The grants it stands on: identifiers of the leases, with their resources.
    public let grants: [Resource: String]
    /// The ALSA device it opens, or `nil` when it reads a file.
    public let device: String?
    /// What is known about whether it leaves the machine.
    public var sharing: Sharing

    /// - Parameter sharing: default: what the client declares.
    public init(
        identifier: String, requester: Requester, grants: [Resource: String], device: String?, sharing: Sharing? = nil
    ) {
        self.identifier = identifier
        self.requester = requester
        self.grants = grants
        self.device = device
        self.sharing = sharing ?? Sharing(requester.client.manifest?.practices)
    }
}
