import Foundation

/// One use of the microphone or of the recogniser, as it is shown. Everything in it is the service's own knowledge.
public struct IndicatedUse: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    /// Made safe to show, and never empty.
    public let name: String
    public let resources: [Resource]
    /// ALSA's name; `nil` for a file.
    public let device: String?
    public let processIdentifier: Int32
    public var presence: Presence
    /// It hears nothing for now, because its client is in the background; the device stays open.
    public var isPaused = false
    public let startedAt: Date
    /// Whether what is heard can leave the machine, as it was found before.
    public let sharing: Sharing

    public init(
        identifier: String, requester: Requester, resources: [Resource], device: String?, presence: Presence,
        startedAt: Date, sharing: Sharing = .undeclared
    ) {
        self.identifier = identifier
        self.user = requester.caller.user
        self.client = requester.client.identifier
        self.name = ShownName.text(requester.client.displayName, of: requester.client.identifier)
        self.resources = resources
        self.device = device.map { DisplayText.cleaned($0, limit: 60) }
        self.processIdentifier = requester.caller.process.processIdentifier
        self.presence = presence
        self.startedAt = startedAt
        self.sharing = sharing
    }
}
