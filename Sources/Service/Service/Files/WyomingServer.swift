import Authorization
import Glibc
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import WyomingEngine

/// Serves Wyoming on a Unix socket, and on a TCP port of this machine if one is configured. The kernel identifies the peer
/// of each connection before an event is answered, as on the socket for HTTP.
struct WyomingServer: Service {
    /// `nil`: the service manager has bound none.
    let socket: ListeningSocket?
    /// `nil`: no TCP.
    let loopback: LoopbackSocket?
    let clients: ClientResolver
    let sessions: FileSessions
    let speech: WyomingSpeech
    let timeouts: WyomingTimeouts
    let admission: Admission

    private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    func run() async throws {
        var listeners: [any Channel] = []
        if let socket { listeners.append(try await listen(socket.takeDescriptor(), isTCP: false)) }
        if let loopback { listeners.append(try await listen(loopback.takeDescriptor(), isTCP: true)) }
        admission.logger.info(
            "listening", metadata: ["wyoming": "\(socket?.path ?? "off")", "tcp": "\(loopback?.address ?? "off")"])
        do { try await gracefulShutdown() } catch is CancellationError {}
        // The sessions' last events must be read before the connections are closed.
        await sessions.runner.registry.stopAll()
        for listener in listeners { try? await listener.close() }
        await admission.connections.stop()
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
        // The kernel does not report the peer of TCP; the inspection finds it.
        let process = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { try PeerCredentials(socket: $0).processIdentifier }
        guard let descriptor = admission.enter(channel, of: process) else { return channel.close() }
        return channel.eventLoop.makeCompletedFuture {
            let stream = try Stream(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            admission.connections.run {
                await serve(stream, socket: OwnedDescriptor(owning: descriptor), isTCP: isTCP)
            }
        }
    }

    private func serve(_ stream: Stream, socket: consuming OwnedDescriptor, isTCP: Bool) async {
        let channel = stream.channel
        let clock = WyomingClock(channel)
        let inspector = admission.inspector
        // An asynchronous channel must be closed by `executeThenClose`; otherwise its deinit traps.
        await admission.admit(
            inspecting: {
                isTCP
                    ? try await inspector.inspect(tcp: socket.rawValue)
                    : try await inspector.inspect(socket: socket.rawValue)
            },
            refuse: { error in
                try? await stream.executeThenClose { inbound, outbound in
                    guard let error else { return }
                    await WyomingWriter(outbound: outbound, clock: clock, timeouts: timeouts).fail(error)
                    await WyomingReader(inbound, clock, timeouts).drain()
                }
            },
            serve: { peer in
                try? await stream.executeThenClose { inbound, outbound in
                    await WyomingConversation(
                        clients: clients, sessions: sessions, speech: speech, timeouts: timeouts,
                        connection: Connection(closing: channel.closeFuture, peer: peer),
                        reader: WyomingReader(inbound, clock, timeouts),
                        writer: WyomingWriter(outbound: outbound, clock: clock, timeouts: timeouts)
                    ).run()
                }
            })
    }
}

/// A TCP port that only this machine can reach.
final class LoopbackSocket: Sendable {
    let address: String
    /// Non-blocking and listening; −1 once it was taken.
    private let descriptor: Mutex<Int32>

    /// - Parameter text: `127.0.0.1:10300` or `[::1]:10300`: numbers only, so that no name service decides.
    /// - Throws: `configuration` for an address that is not a loopback address, `socketPath` if it cannot be used.
    init(_ text: String) throws(ServiceError) {
        guard let address = Self.parse(text) else {
            throw ServiceError(
                code: .configuration,
                message: "“\(text.prefix(60))” of wyoming: tcp: is not a loopback address with a port, such as "
                    + "127.0.0.1:10300 or [::1]:10300. Wyoming has no passwords, so no other address is served.")
        }
        self.address = text
        let family = address.protocol == .inet ? AF_INET : AF_INET6
        let socket = socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard socket >= 0 else {
            throw ServiceError(
                code: .socketPath,
                message:
                    "This service has no network for wyoming: tcp: (\(String(cString: strerror(errno)))). Remove that key "
                    + "from the configuration; the Unix socket serves Wyoming too.")
        }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = address.withSockAddr { pointer, size in bind(socket, pointer, socklen_t(size)) }
        guard isBound == 0, listen(socket, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw ServiceError(
                code: .socketPath,
                message: "Cannot listen on the address \(text) of wyoming: tcp: \(reason). Choose another port.")
        }
        descriptor = Mutex(socket)
    }

    deinit {
        let descriptor = takeDescriptor()
        if descriptor >= 0 { close(descriptor) }
    }

    /// The listening descriptor; the caller closes it.
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
