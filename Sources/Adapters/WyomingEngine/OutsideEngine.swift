import CLinux
import Glibc
import NIOCore
import NIOPosix
import RecognizerProtocol
import Speech
import Synchronization

/// An external engine: a program of its own that speaks Wyoming, such as the user's Whisper server. It gets one utterance at
/// a time, each over a channel of its own, because some servers close theirs after one.
public final class OutsideEngine: Sendable {
    public let address: EngineAddress
    let limits: EngineLimits
    private let isAllowedByAdministrator: Bool
    private let lastFailure = Mutex<EngineFallback?>(nil)

    private static let acceptPause = Duration.milliseconds(20)
    /// Bytes of audio in one event.
    private static let pieceLength = 8_192

    /// - Parameter isAllowedByAdministrator: whether it may be on another host or run as another user.
    public init(
        _ address: EngineAddress, isAllowedByAdministrator: Bool = false, limits: EngineLimits = EngineLimits()
    ) {
        self.address = address
        self.isAllowedByAdministrator = isAllowedByAdministrator
        self.limits = limits
    }

    /// Why it did not recognise the last utterance; `nil` if it did, or there was none.
    public var problem: EngineFallback? { lastFailure.withLock { $0 } }

    /// - Parameters:
    ///   - samples: 16 kHz, one channel.
    ///   - connection: closed by the session's end; nothing is sent then.
    /// - Returns: one line of text; empty if the engine found no words.
    func transcribe(_ samples: ArraySlice<Int16>, over connection: EngineConnection) async throws(EngineFallback)
        -> String
    {
        do {
            let text = try await exchange(samples, over: connection)
            lastFailure.withLock { $0 = nil }
            return text
        } catch {
            if connection.isOpen { lastFailure.withLock { $0 = error } }
            throw error
        }
    }

    private func exchange(_ samples: ArraySlice<Int16>, over connection: EngineConnection) async throws(EngineFallback)
        -> String
    {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: String.self)
        connection.hasSentUtterance = false
        let limit = limits.answer(to: samples.count)
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) { [address] () -> Void in
            answer.fail(address.failure(.hung, "\(address) did not answer within \(limit.components.seconds) seconds."))
        }
        // The timeout, an answer and a faulty answer all close the channel.
        answer.futureResult.whenComplete { _ in connection.hangUp() }
        defer {
            deadline.cancel()
            connection.hangUp()
        }
        do {
            let channel = try await connect(loop, answer, connection, within: limit)
            guard connection.connect(channel) else {
                channel.close(promise: nil)
                throw address.died
            }
            try await checkOwner(of: channel, within: limit)
            try await send(samples, over: channel, connection)
        } catch let failure as EngineFallback {
            answer.fail(failure)
            // A foreign engine may have answered already; its answer is not used.
            throw failure
        } catch {
            // Has no effect after an answer or the timeout.
            answer.fail(address.died)
        }
        do {
            return try await answer.futureResult.get()
        } catch {
            throw error as? EngineFallback ?? address.died
        }
    }

    private func connect(
        _ loop: any EventLoop, _ answer: EventLoopPromise<String>, _ connection: EngineConnection,
        within limit: Duration
    ) async throws(EngineFallback) -> any Channel {
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(limit)).channelInitializer {
            [address, limits] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(EngineAnswer(answer, over: connection, address, limits))
            }
        }
        do {
            switch address.place {
            case .unix(let path): return try await bootstrap.connect(unixDomainSocketPath: path).get()
            case .tcp(let host, let port): return try await bootstrap.connect(host: host, port: port).get()
            }
        } catch {
            throw address.failure(.unreachable, "\(address) does not answer (\(error)). Start the engine.")
        }
    }

    /// Any user can create a socket in a shared folder, or listen on a free port.
    private func checkOwner(of channel: any Channel, within limit: Duration) async throws {
        guard !isAllowedByAdministrator else { return }
        let end = ContinuousClock.now + limit
        var owner = try await owner(of: channel)
        // A TCP connection has no owner before the engine accepts it, and the kernel does not report that.
        while owner == nil, channel.isActive, ContinuousClock.now < end {
            try await Task.sleep(for: Self.acceptPause)
            owner = try await self.owner(of: channel)
        }
        guard let owner, owner == 0 || owner == geteuid() else {
            let who = owner.map { "user \($0)" } ?? "an unknown user"
            throw address.failure(
                .foreign,
                "\(address) is served by \(who), so nothing was sent there. An administrator can allow it in "
                    + "engines.yaml; see Documentation/Wyoming.md.")
        }
    }

    private func owner(of channel: any Channel) async throws -> uid_t? {
        try await channel.eventLoop.submit { [address] () -> uid_t? in
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { handle in
                Self.owner(of: handle, address)
            } ?? nil
        }.get()
    }

    private static func owner(of handle: Int32, _ address: EngineAddress) -> uid_t? {
        switch address.place {
        case .unix:
            var peer = vg_peer_credentials()
            return vg_peer_credentials(handle, &peer) == 0 ? peer.uid : nil
        case .tcp:
            var peer = vg_tcp_peer()
            return vg_tcp_peer(handle, &peer) == 0 ? peer.uid : nil
        }
    }

    private func send(
        _ samples: ArraySlice<Int16>, over channel: any Channel, _ connection: EngineConnection
    ) async throws {
        let format: [String: WyomingValue] = ["rate": .number(16_000), "width": .number(2), "channels": .number(1)]
        try await Self.write(WyomingEvent(type: "transcribe"), channel)
        try await Self.write(WyomingEvent(type: "audio-start", data: format), channel)
        var rest = samples
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceLength / 2)
            rest = rest.dropFirst(piece.count)
            guard connection.mayCarryAudio() else { throw address.died }
            let chunk = WyomingEvent(type: "audio-chunk", data: format, payload: Frames.bytes(of: piece))
            try await Self.write(chunk, channel)
        }
        connection.hasSentUtterance = true
        try await Self.write(WyomingEvent(type: "audio-stop"), channel)
    }

    private static func write(_ event: WyomingEvent, _ channel: any Channel) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: try event.encoded())).get()
    }
}

/// Limits of an exchange with an external engine.
public struct EngineLimits: Sendable, Hashable {
    /// The time to connect, take the audio and answer: this, and a multiple of the utterance's length. It may have to load
    /// its model first.
    public var answer: Duration
    public var answerPerSecond: Double
    /// Bytes of a transcript.
    public var text = 65_536
    /// Events before the transcript.
    public var events = 1_000
    /// Seconds of an utterance; a longer one is not sent.
    public var utterance = 95.0
    /// Seconds of speech that may wait for its answers when an utterance ends; behind more the engine is too slow.
    public var waiting = 60.0

    public init(answer: Duration = .seconds(10), answerPerSecond: Double = 2) {
        self.answer = answer
        self.answerPerSecond = answerPerSecond
    }

    func answer(to samples: Int) -> Duration { answer + .seconds(answerPerSecond * Double(samples) / 16_000) }
}
