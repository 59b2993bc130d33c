import Authorization
import LinuxProcesses
import NIOCore

/// One connection and the process at its other end. Handed to the routes by a task-local value.
final class Connection: Sendable {
    @TaskLocal static var current: Connection?

    private let channel: any Channel
    private let peer: ConnectedCaller

    init(channel: any Channel, peer: ConnectedCaller) {
        self.channel = channel
        self.peer = peer
    }

    /// The process as it is now: a connection outlives an `exec`, so this looks again each time.
    func caller() throws(ProcessError) -> Caller {
        try peer.recheck()
        return peer.caller
    }

    /// The program on whose behalf the process was started; blocks the first time.
    func responsible() -> ResponsibleProgram { peer.responsible() }

    /// Whether the process is the foreground job of a real terminal, by the kernel's word.
    func isForegroundJobOfTerminal() -> Bool { peer.isForegroundJobOfTerminal }

    /// Whether the person has the process before them now.
    var presence: Presence { peer.presence }

    /// Runs the handler when the connection is closed, for whatever reason, or at once when it is closed already.
    func onClose(_ handler: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in handler() }
    }

    /// Runs the handler when the session's client is not there any more: the connection is closed, its process has ended
    /// (a child may still hold the socket), or it runs another program.
    ///
    /// - Returns: a task to cancel when the session is over.
    func watch(_ handler: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        onClose(handler)
        peer.onExit(handler)
        return Task {
            // The kernel tells of an exit, but nobody of an exec; so it is looked for.
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                do {
                    try peer.recheck()
                } catch {
                    handler()
                    return
                }
            }
        }
    }
}
