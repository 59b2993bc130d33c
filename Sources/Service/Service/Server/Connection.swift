import Authorization
import Dispatch
import Hummingbird
import LinuxSystem
import NIOCore
import SocketAPI
import Synchronization

/// One connection and the process at its other end.
final class Connection: Sendable {
    private let channel: any Channel
    private let peer: ConnectedCaller
    /// What it was found to be, in which version of the catalogue.
    private let found = Mutex<(caller: Caller, client: Client, version: UInt64)?>(nil)
    /// Its last answer about its permissions.
    let authorization = KeptResponse<AuthorizationReply>()

    init(channel: any Channel, peer: ConnectedCaller) {
        self.channel = channel
        self.peer = peer
    }

    /// The process as it is now: a connection outlives an `exec`, so this looks again each time.
    func caller() throws(ProcessError) -> Caller {
        try peer.recheck()
        return peer.caller
    }

    /// Whether the process is still in the unit it connected from; throws when it is not.
    func recheckUnit() throws(ProcessError) { try peer.recheckUnit() }

    /// The program on whose behalf the process was started; blocks the first time.
    func responsible() -> ResponsibleProgram { peer.responsible() }

    /// The client that the process is. It is looked for once in each catalogue; that its manifest still speaks for its
    /// program is looked at each time.
    ///
    /// - Parameter find: looks for it in the catalogue.
    func identity(
        in version: UInt64, find: (Caller) -> (caller: Caller, client: Client)
    ) throws(ProcessError) -> (caller: Caller, client: Client) {
        let caller = try caller()
        if let found = found.withLock({ $0 }), found.version == version, let manifest = found.client.manifest,
            found.client.isOnceAtMost || manifest.speaks(for: found.caller)
        {
            return (found.caller, found.client)
        }
        let (acting, client) = find(caller)
        found.withLock { $0 = (acting, client, version) }
        return (acting, client)
    }

    /// Whether the process is the foreground job of a real terminal, by the kernel's word.
    func isForegroundJobOfTerminal() -> Bool { peer.isForegroundJobOfTerminal }

    /// Whether the person has the process before them now.
    var presence: Presence { peer.presence }

    /// Looks for a network that the client has; goes through all of proc, so it takes a while.
    func network(of requester: Requester) async -> NetworkFinding {
        await withCheckedContinuation { continuation in
            Self.networkQueue.async { [peer] in
                continuation.resume(returning: peer.network(actingAs: requester.caller))
            }
        }
    }

    private static let networkQueue = DispatchQueue(label: "voicegate.network-inspector")

    /// Whose process it is.
    var user: UInt32 { peer.caller.user }

    /// Whether its process runs.
    var isAlive: Bool { peer.isAlive }

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

/// The bytes of the answer that a connection got last, for as long as the answer is the same: encoding costs more than
/// everything else about it.
final class KeptResponse<Value: Encodable & Hashable & Sendable>: Sendable {
    private let last = Mutex<(value: Value, body: ByteBuffer)?>(nil)

    func response(_ value: Value) throws -> Response {
        let kept = last.withLock { $0?.value == value ? $0?.body : nil }
        let body = try kept ?? ByteBuffer(bytes: JSONCoding.encoder().encode(value) + [UInt8(ascii: "\n")])
        if kept == nil { last.withLock { $0 = (value, body) } }
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
    }
}

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
