/// What stands behind the Wyoming sockets.
struct WyomingDoor: Sendable {
    let clients: ClientResolver
    let sessions: FileSessions
    let speech: WyomingSpeech
    let patience: WyomingPatience

    /// Returns when the sessions that a stopping service ends are ended.
    func whenSessionsAreOver() async { await sessions.registry.stopAll() }
}
