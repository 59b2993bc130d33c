import Authorization
import Base
import Hummingbird
import LinuxSystem
import NIOCore
import SocketAPI
import Synchronization

/// One connection and the process at its other end.
package final class Connection: Sendable {
    package let peer: ConnectedCaller
    /// The client that was found, and the version of the catalogue it was found in.
    private let found = Mutex<(caller: Caller, client: Client, version: UInt64)?>(nil)

    private let closed = Latch<Void>()
    private let exited = Latch<Void>()
    /// Whether `exited` is set when the process ends; that takes a descriptor, so only connections with sessions have it.
    private let watchesExit = Atomic(false)

    /// - Parameter closing: is completed when the connection is closed.
    package init(closing: EventLoopFuture<Void>, peer: ConnectedCaller) {
        self.peer = peer
        closing.whenComplete { [closed] _ in closed.set() }
    }

    /// The process as it is now: a connection outlives an `exec`, so this looks again each time.
    func caller() async throws(ProcessError) -> Caller {
        try await peer.recheck()
        return peer.caller
    }

    /// The client that the process is: found once in each version of the catalogue; whether its manifest still describes its
    /// program is checked each time.
    ///
    /// - Parameter find: finds it in the catalogue.
    func identity(
        in version: UInt64, find: (Caller) async throws(ProcessError) -> (caller: Caller, client: Client)
    ) async throws(ProcessError) -> (caller: Caller, client: Client) {
        let caller = try await caller()
        if let found = found.withLock({ $0 }), found.version == version, let manifest = found.client.manifest {
            let isDescribed =
                found.client.isOnceAtMost ? true : try await peer.matches(manifest, as: found.caller)
            if isDescribed { return (found.caller, found.client) }
        }
        let (acting, client) = try await find(caller)
        found.withLock { $0 = (acting, client, version) }
        return (acting, client)
    }

    /// Runs the handler once when the session's client is gone: the connection is closed, its process has ended (a child
    /// may still have the socket), or it runs another program.
    ///
    /// - Returns: cancel it when the session is over; the connection keeps nothing of the session then.
    package func watch(_ handler: @escaping @Sendable () -> Void) -> ClientWatch {
        let unwatched = Latch<Void>()
        if !watchesExit.exchange(true, ordering: .relaxed) {
            peer.onExit { [exited, peer, weak self] in
                guard peer.isAlive else { return exited.set() }
                // No descriptor was left to watch the process: this session ends, and the next one tries again.
                self?.watchesExit.store(false, ordering: .relaxed)
                unwatched.set()
            }
        }
        return ClientWatch(peer, endingWith: [closed, exited, unwatched], handler)
    }
}

package final class ClientWatch: Sendable {
    private let gone = Latch<Void>()
    private let registrations: [Registration]
    private let checking: Task<Void, Never>

    fileprivate init(_ peer: ConnectedCaller, endingWith ends: [Latch<Void>], _ handler: @escaping @Sendable () -> Void)
    {
        registrations = [gone.onSet(handler)] + ends.map { [gone] end in end.onSet { gone.set() } }
        checking = Task { [gone] in
            // The kernel reports an exit but no exec.
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                do {
                    try await peer.recheck()
                } catch {
                    gone.set()
                    return
                }
            }
        }
    }

    /// Runs the handler when the client is gone, or at once if it is.
    package func onEnd(_ handler: @escaping @Sendable () -> Void) -> Registration { gone.onSet(handler) }

    package func cancel() {
        for registration in registrations { registration.cancel() }
        checking.cancel()
    }
}
