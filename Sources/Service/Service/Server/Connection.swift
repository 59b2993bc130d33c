import Authorization
import Dispatch
import Hummingbird
import LinuxSystem
import NIOCore
import SocketAPI
import Synchronization

/// One connection and the process at its other end.
final class Connection: Sendable {
    let peer: ConnectedCaller
    /// The client that was found, and the version of the catalogue it was found in.
    private let found = Mutex<(caller: Caller, client: Client, version: UInt64)?>(nil)
    let authorization = KeptResponse<AuthorizationReply>()

    private let closed = Latch<Void>()
    private let exited = Latch<Void>()
    /// Whether `exited` is set when the process ends; that takes a descriptor, so only connections with sessions have it.
    private let watchesExit = Atomic(false)

    /// - Parameter closing: is completed when the connection is closed.
    init(closing: EventLoopFuture<Void>, peer: ConnectedCaller) {
        self.peer = peer
        closing.whenComplete { [closed] _ in closed.set() }
    }

    /// The process as it is now: a connection outlives an `exec`, so this looks again each time.
    func caller() throws(ProcessError) -> Caller {
        try peer.recheck()
        return peer.caller
    }

    /// The client that the process is: found once in each version of the catalogue; whether its manifest still describes its
    /// program is checked each time.
    ///
    /// - Parameter find: finds it in the catalogue.
    func identity(
        in version: UInt64, find: (Caller) -> (caller: Caller, client: Client)
    ) throws(ProcessError) -> (caller: Caller, client: Client) {
        let caller = try caller()
        if let found = found.withLock({ $0 }), found.version == version, let manifest = found.client.manifest,
            found.client.isOnceAtMost || manifest.matches(found.caller)
        {
            return (found.caller, found.client)
        }
        let (acting, client) = find(caller)
        found.withLock { $0 = (acting, client, version) }
        return (acting, client)
    }

    /// Finds the client's network; reads all of /proc, which is slow.
    func network(of requester: Requester) async -> NetworkFinding {
        await Self.networkQueue.run { [peer] in peer.network(actingAs: requester.caller) }
    }

    private static let networkQueue = DispatchQueue(label: "voicegate.network-inspector")

    /// Runs the handler once when the session's client is gone: the connection is closed, its process has ended (a child
    /// may still have the socket), or it runs another program.
    ///
    /// - Returns: cancel it when the session is over; the connection keeps nothing of the session then.
    func watch(_ handler: @escaping @Sendable () -> Void) -> ClientWatch {
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

final class ClientWatch: Sendable {
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
                    try peer.recheck()
                } catch {
                    gone.set()
                    return
                }
            }
        }
    }

    /// Runs the handler when the client is gone, or at once if it is.
    func onEnd(_ handler: @escaping @Sendable () -> Void) -> Registration { gone.onSet(handler) }

    func cancel() {
        for registration in registrations { registration.cancel() }
        checking.cancel()
    }
}

/// The encoded last answer, as long as the answer is the same: encoding costs more than the rest of it.
final class KeptResponse<Value: Encodable & Hashable & Sendable>: Sendable {
    private let last = Mutex<(value: Value, body: ByteBuffer)?>(nil)

    func response(_ value: Value) throws -> Response {
        let kept = last.withLock { $0?.value == value ? $0?.body : nil }
        let body = try kept ?? Response.line(value, JSONCoding.encoder())
        if kept == nil { last.withLock { $0 = (value, body) } }
        return Response(bytes: body, type: "application/json")
    }
}

/// Watches every process that has connected until it ends, whether its connections stay open or not: a grant for one
/// process ends with it.
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
        // The entry keeps the peer, and so the handler, alive.
        peer.onExit { [weak self] in
            guard let self else { return }
            watched.withLock { $0[process] = nil }
            onEnd(process)
        }
    }

    /// Where a watched process is now; `nil` if it is not watched, and so has ended.
    func presence(of process: ProcessIdentity) async -> Presence? {
        guard let peer = watched.withLock({ $0[process] }) else { return nil }
        return await Self.presenceQueue.run { peer.presence }
    }

    private static let presenceQueue = DispatchQueue(label: "voicegate.presence")
}
