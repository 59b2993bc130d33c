import Authorization
import Engines
import Glibc
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import RecognizerProtocol
import Server
import ServiceLifecycle
import Sessions
import SocketAPI
import Speech

/// Serves Wyoming on a Unix socket, and on a TCP port of this machine if one is configured. The kernel identifies the peer
/// of each connection before an event is answered, as on the socket for HTTP.
package struct WyomingServer: Service {
    private let socket: ListeningSocket?
    private let loopback: ListeningSocket?
    let clients: ClientResolver
    let sessions: FileSessions
    let speech: WyomingSpeech
    private let timeouts: WyomingTimeouts
    private let admission: Admission

    /// - Parameters:
    ///   - socket: `nil`: the service manager has bound none.
    ///   - loopback: `nil`: no TCP.
    ///   - timeout: for an event of a client.
    package init(
        socket: ListeningSocket?, loopback: ListeningSocket?, clients: ClientResolver, sessions: FileSessions,
        engines: FileEngines, timeout: Duration, admission: Admission
    ) {
        (self.socket, self.loopback, self.clients, self.sessions) = (socket, loopback, clients, sessions)
        speech = WyomingSpeech(engines: engines)
        timeouts = WyomingTimeouts(event: timeout)
        self.admission = admission
    }

    private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    package func run() async throws {
        var listeners: [any Channel] = []
        if let socket { listeners.append(try await listen(socket.takeDescriptor(), isTCP: false)) }
        if let loopback { listeners.append(try await listen(loopback.takeDescriptor(), isTCP: true)) }
        admission.logger.info(
            "listening", metadata: ["wyoming": "\(socket?.path ?? "off")", "tcp": "\(loopback?.path ?? "off")"])
        do { try await gracefulShutdown() } catch is CancellationError {}
        // The sessions' last events must be read before the connections are closed.
        await sessions.runner.registry.stopAll()
        for listener in listeners { try? await listener.close() }
        await admission.connections.stop()
    }

    private func listen(_ descriptor: Int32, isTCP: Bool) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Without a free descriptor it waits a second instead of trying at once.
            .serverChannelInitializer { listener in
                listener.eventLoop.makeCompletedFuture {
                    try listener.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in accept(channel, isTCP: isTCP) }
            .withBoundSocket(descriptor)
            .get()
    }

    /// Runs on the connection's event loop.
    private func accept(_ channel: any Channel, isTCP: Bool) -> EventLoopFuture<Void> {
        let (place, peer) = admission.enter(channel, isTCP: isTCP)
        switch place {
        case .counted: break
        case .reserved(_, let error):
            // No request here revokes a permission.
            admission.table.report(error, peer)
            return refuse(channel, error)
        case .refused(let error): return refuse(channel, error)
        }
        let descriptor = Admission.descriptor(of: channel)
        return channel.eventLoop.makeCompletedFuture {
            let stream = try Stream(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            admission.connections.run {
                await serve(stream, peer, socket: descriptor, isTCP: isTCP)
            }
        }
    }

    /// Sends the error to a connection that is not read, and closes it.
    private func refuse(_ channel: any Channel, _ error: RouteError) -> EventLoopFuture<Void> {
        Admission.refuse(channel) {
            ByteBuffer(bytes: try WyomingWriter.error(ErrorTranslation.answer(to: error).1.error).encoded())
        }
    }

    private func serve(_ stream: Stream, _ peer: PeerCredentials, socket: Int32, isTCP: Bool) async {
        let channel = stream.channel
        let clock = WyomingClock(channel, timeouts)
        let inspector = admission.inspector
        // An asynchronous channel must be closed by `executeThenClose`; otherwise its deinit traps.
        func refuse(_ error: any Error) async {
            try? await stream.executeThenClose { inbound, outbound in
                await WyomingWriter(outbound: outbound, clock: clock).fail(error)
                await WyomingReader(inbound, clock).drain()
            }
        }
        await admission.admit(
            peer,
            inspecting: {
                defer { Glibc.close(socket) }
                return isTCP
                    ? try await inspector.inspect(tcp: socket) : try await inspector.inspect(socket: socket)
            },
            refuse: refuse,
            serve: { peer, error in
                if let error { return await refuse(error) }
                try? await stream.executeThenClose { inbound, outbound in
                    await WyomingConversation(
                        server: self, connection: Connection(closing: channel.closeFuture, peer: peer),
                        reader: WyomingReader(inbound, clock), writer: WyomingWriter(outbound: outbound, clock: clock)
                    ).run()
                }
            })
    }
}

/// The engines that recognise sound files, as Wyoming describes them.
struct WyomingSpeech: Sendable {
    let engines: FileEngines

    /// - Parameter asked: a tag, or an English name; `nil` and `auto`: any language.
    /// - Returns: the language to recognise, and the data of an answer with its language, which are empty if that is unknown.
    func language(
        for asked: String?
    ) throws(RouteError) -> (language: SpokenLanguage?, answer: [String: WyomingValue]) {
        guard let asked, asked != SpokenLanguage.any else {
            let usual = engines.all.first?.languages ?? []
            return (nil, usual.count == 1 ? ["language": .string(usual[0])] : [:])
        }
        let spoken = engines.languages.all
        guard let wanted = SpokenLanguage(named: asked), spoken?.contains(wanted.code) ?? true else {
            throw RouteError(
                .invalidValue,
                "The engines here recognise \(engines.installedLanguages), not \(asked.prefix(20)). To set up another, "
                    + "see Documentation/Engines.md.")
        }
        return (wanted, ["language": .string(asked)])
    }

    /// `info`, with the caller's authorization under a key that other programs ignore.
    func information(client: ClientIdentifier, _ status: AuthorizationStatus) -> WyomingEvent {
        let program: WyomingValue = .object([
            "name": .string("voicegate"), "installed": .bool(true), "version": .string(ServiceVersion.current),
            "description": .string("Speech to text on this machine, with the user's permission"),
            "attribution": Self.attribution("VoiceGate", "file:///usr/share/doc/voicegate"),
            "models": .array(engines.all.map(Self.model)), "supports_transcript_streaming": .bool(true),
        ])
        return WyomingEvent(
            type: "info",
            data: [
                "asr": .array([program]),
                "voicegate": .object([
                    "client": .string(client.rawValue),
                    "authorization": .object(["speechRecognition": .string(status.rawValue)]),
                ]),
            ])
    }

    private static func model(_ engine: ServedEngine) -> WyomingValue {
        let (name, source) = (engine.identity.name, engine.source)
        return .object([
            "name": .string(source.id), "installed": .bool(true),
            "description": .string([name, source.description].compactMap { $0 }.joined(separator: ": ")),
            "version": engine.identity.version.map { .string($0) } ?? .null,
            "languages": .array((engine.languages ?? []).map { .string($0) }),
            "attribution": attribution(source.description, source.url),
        ])
    }

    private static func attribution(_ name: String, _ url: String) -> WyomingValue {
        .object(["name": .string(name), "url": .string(url)])
    }
}
