import Authorization
import Glibc
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import WyomingEngine

/// Serves Wyoming on a Unix socket, and on a TCP port of this machine where that is configured. Each connection is looked
/// at by the kernel's evidence before an event is answered, as on the socket for HTTP.
struct WyomingServer: Service {
    /// `nil`: a service manager has bound none.
    let socket: ListeningSocket?
    /// `nil`: no TCP.
    let loopback: LoopbackSocket?
    let door: WyomingDoor
    let inspector: CallerInspector
    let processes: ProcessWatch
    let logger: Logger
    /// Its connections are not counted with the clients'.
    let isCommandLine: @Sendable (Caller) -> Bool

    private let connections = ConnectionTasks()
    private let arriving = ArrivingConnections()

    init(
        socket: ListeningSocket?, loopback: LoopbackSocket?, door: WyomingDoor, inspector: CallerInspector,
        processes: ProcessWatch, logger: Logger, isCommandLine: @escaping @Sendable (Caller) -> Bool
    ) {
        self.socket = socket
        self.loopback = loopback
        self.door = door
        self.inspector = inspector
        self.processes = processes
        self.logger = logger
        self.isCommandLine = isCommandLine
    }

    private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    func run() async throws {
        var listeners: [any Channel] = []
        if let socket { listeners.append(try await listen(socket.takeDescriptor(), isTCP: false)) }
        if let loopback { listeners.append(try await listen(loopback.takeDescriptor(), isTCP: true)) }
        logger.info(
            "listening", metadata: ["wyoming": "\(socket?.path ?? "off")", "tcp": "\(loopback?.address ?? "off")"])
        try await gracefulShutdownOrCancelled()
        // The sessions are ended by whoever stops the service; their last events must be read before this.
        await door.whenSessionsAreOver()
        for listener in listeners { try? await listener.close() }
        await connections.stop()
    }

    private func gracefulShutdownOrCancelled() async throws {
        do { try await gracefulShutdown() } catch is CancellationError {}
    }

    private func listen(_ descriptor: Int32, isTCP: Bool) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in accept(channel, isTCP: isTCP) }
            .withBoundSocket(descriptor)
            .get()
    }

    /// Runs on the connection's event loop.
    private func accept(_ channel: any Channel, isTCP: Bool) -> EventLoopFuture<Void> {
        let leave = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { arriving.enter($0) }
        guard let leave = leave ?? nil, connections.enter() else { return channel.close() }
        channel.closeFuture.whenComplete { _ in
            connections.leave()
            leave()
        }
        // A descriptor of our own: the channel may be closed before the peer has been looked at.
        let descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        return channel.eventLoop.makeCompletedFuture {
            let stream = try Stream(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            connections.run { await serve(stream, socket: OwnedDescriptor(owning: descriptor ?? -1), isTCP: isTCP) }
        }
    }

    private func serve(_ stream: Stream, socket: consuming OwnedDescriptor, isTCP: Bool) async {
        let channel = stream.channel
        let clock = WyomingClock(channel)
        let peer: ConnectedCaller
        do {
            peer =
                isTCP
                ? try await inspector.inspect(tcp: socket.rawValue)
                : try await inspector.inspect(socket: socket.rawValue)
        } catch {
            logger.notice("a connection was refused", metadata: ["reason": "\(error)"])
            try? await stream.executeThenClose { inbound, outbound in
                await WyomingWriter(outbound, clock, door.patience).fail(error)
                await WyomingReader(inbound, clock, door.patience).drain()
            }
            return
        }
        let process = peer.caller.process
        let isClient = !isCommandLine(peer.caller)
        if isClient, !connections.admit(process) {
            logger.notice("too many connections", metadata: ["process": "\(process.processIdentifier)"])
            try? await stream.executeThenClose { _, _ in }
            return
        }
        defer { if isClient { connections.dismiss(process) } }
        processes.watch(peer)
        // An asynchronous channel must be closed by its own call, or it ends the process.
        try? await stream.executeThenClose { inbound, outbound in
            await WyomingConversation(
                door: door, connection: Connection(channel: channel, peer: peer),
                reader: WyomingReader(inbound, clock, door.patience),
                writer: WyomingWriter(outbound, clock, door.patience)
            ).run()
        }
    }
}

/// What stands behind the Wyoming sockets.
struct WyomingDoor: Sendable {
    let clients: ClientResolver
    let sessions: FileSessions
    let speech: WyomingSpeech
    let patience: WyomingPatience

    /// Returns when the sessions that a stopping service ends are ended.
    func whenSessionsAreOver() async { await sessions.registry.stopAll() }
}

/// Counts the connections of each process from their first moment on, before anybody looks at the process: one that opens a
/// thousand must not fill the places that others arrive at.
final class ArrivingConnections: Sendable {
    private let open = Mutex<[Int32: Int]>([:])

    /// - Parameter socket: a connected Unix socket.
    /// - Returns: what runs when it is closed; `nil` when its process has too many, and it is to be closed.
    func enter(_ socket: Int32) -> (@Sendable () -> Void)? {
        // Of TCP the kernel does not say it; such a one is looked at with all others.
        guard let process = try? PeerCredentials(socket: socket).processIdentifier else { return {} }
        let isWelcome = open.withLock { open in
            guard open[process, default: 0] < ConnectionTasks.mostOfProcess else { return false }
            open[process, default: 0] += 1
            return true
        }
        guard isWelcome else { return nil }
        return { [self] in
            open.withLock { open in
                let left = open[process, default: 1] - 1
                open[process] = left > 0 ? left : nil
            }
        }
    }
}

/// A TCP port that only this machine can reach.
final class LoopbackSocket: Sendable {
    let address: String
    /// Non-blocking and listening; −1 once somebody else owns it.
    private let descriptor: Mutex<Int32>

    /// - Parameter text: `127.0.0.1:10300` or `[::1]:10300`: numbers only, so that nobody's name service decides.
    /// - Throws: `configuration` for an address that is not this machine's alone, `socketPath` where it cannot be had.
    init(_ text: String) throws(ServiceError) {
        guard let address = Self.parse(text) else {
            throw ServiceError(
                code: .configuration,
                message: "wyoming: tcp: is an address of this machine alone with a port, such as 127.0.0.1:10300 or "
                    + "[::1]:10300; “\(text.prefix(60))” is none. Wyoming has no passwords, so nothing else is served.")
        }
        self.address = text
        let family = address.protocol == .inet ? AF_INET : AF_INET6
        let socket = socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard socket >= 0 else {
            throw ServiceError(
                code: .socketPath,
                message:
                    "This service has no network for wyoming: tcp: (\(String(cString: strerror(errno)))). Take that key "
                    + "out of the configuration; the Unix socket serves Wyoming too.")
        }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = address.withSockAddr { pointer, size in bind(socket, pointer, socklen_t(size)) }
        guard isBound == 0, listen(socket, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw ServiceError(
                code: .socketPath,
                message: "The address \(text) of wyoming: tcp: cannot be listened on: \(reason). Choose another port.")
        }
        descriptor = Mutex(socket)
    }

    deinit {
        let descriptor = takeDescriptor()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Hands the listening descriptor on to the one who closes it.
    func takeDescriptor() -> Int32 {
        descriptor.withLock {
            let taken = $0
            $0 = -1
            return taken
        }
    }

    private static func parse(_ text: String) -> SocketAddress? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard let address = try? SocketAddress(ipAddress: host, port: Int(port)), address.isLoopback else { return nil }
        return address
    }
}
