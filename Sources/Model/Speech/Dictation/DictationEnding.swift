/// Why a session ended; the `reason` of its `ended` event and of its record.
public enum DictationEnding: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client asked for it; what was heard was decoded to its end.
    case ended
    /// The client threw away what was heard.
    case cancelled
    /// Nobody spoke for as long as was asked for, after speech had begun.
    case silence
    /// The person took a permission back.
    case revoked
    /// A policy came into force.
    case restricted
    /// The person muted everything.
    case muted
    /// A yes for one session ended because its client stayed in the background.
    case background
    /// The capture device went away.
    case deviceLost
    /// The recogniser or the device failed; the event's message says how.
    case failed
    /// The client's connection closed.
    case disconnected
    /// The service is being stopped.
    case serviceStopped
}
