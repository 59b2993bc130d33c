import Authorization
import Glibc
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

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
