import Authorization
import LinuxSystem
import Synchronization

/// Holds on to every process that has connected, until it ends and whatever becomes of its connections: what was allowed
/// to it alone ends with it.
final class ProcessWatch: Sendable {
    private let watched = Mutex<[ProcessIdentity: ConnectedCaller]>([:])
    private let onEnd: @Sendable (ProcessIdentity) -> Void

    /// - Parameter onEnd: runs once for each process; it must not block.
    init(onEnd: @escaping @Sendable (ProcessIdentity) -> Void) { self.onEnd = onEnd }

    func watch(_ peer: ConnectedCaller) {
        let process = peer.caller.process
        let isNew = watched.withLock { watched in
            guard watched[process] == nil else { return false }
            watched[process] = peer
            return true
        }
        guard isNew else { return }
        // The entry keeps the peer, and with it the handler, until the end.
        peer.onExit { [weak self] in
            guard let self else { return }
            watched.withLock { $0[process] = nil }
            onEnd(process)
        }
    }
}
