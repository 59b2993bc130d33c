import Authorization

/// A session as whoever looks after all of them sees it.
public protocol EndableSession: Sendable {
    /// UUID.
    nonisolated var identifier: String { get }
    nonisolated var requester: Requester { get }
    /// Where its client stands now.
    nonisolated var presence: Presence { get }
    /// Whether what it hears can leave the machine, as it was found before it began.
    nonisolated var sharing: Sharing { get }

    /// Ends it for a reason that is not its own, at once and at whatever stage: what was heard is dropped, and a device
    /// that is not open yet stays closed.
    nonisolated func abandon(_ ending: DictationEnding)
}
