import Authorization

/// Whether what a session's client gets can leave the machine through it.
public protocol SharingWatch: Sendable {
    /// As it was found before the session.
    var atStart: Sharing { get }

    /// Looks again, when the session is over; its client may be gone by then.
    func atEnd() async -> Sharing
}
