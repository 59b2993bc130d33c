import CLinux
import Glibc
import NIOCore
import NIOPosix
import RecognizerProtocol
import Speech
import Synchronization

/// An engine that is a program of its own and speaks Wyoming (a user's Whisper server, say). It is asked for the text of one
/// utterance at a time, each over a connection of its own: some servers close theirs after one.
public final class OutsideEngine: Sendable {
    public let address: EngineAddress
    let limits: EngineLimits
    /// Whether it may be served by anybody.
    private let isAllowedByAdministrator: Bool
    private let lastFailure = Mutex<EngineFailure?>(nil)

    private static let acceptPause = Duration.milliseconds(20)
    /// Bytes of audio in one event.
    private static let pieceLength = 8_192

    /// - Parameter isAllowedByAdministrator: whether it may be on another host, or served by another user than this process's.
    public init(_ address: EngineAddress, isAllowedByAdministrator: Bool = false, limits: EngineLimits = EngineLimits())
    {
        self.address = address
        self.isAllowedByAdministrator = isAllowedByAdministrator
        self.limits = limits
    }

    /// Why the last utterance had to be recognised without it; `nil`: it did not, or none came yet.
    public var problem: EngineFailure? { lastFailure.withLock { $0 } }

    /// - Parameters:
    ///   - samples: 16 kHz, one channel.
    ///   - line: closed by whoever ends the session; nothing is sent over it then.
    /// - Returns: one line of text; empty where the engine heard no words.
    func transcribe(_ samples: ArraySlice<Int16>, over line: EngineLine) async throws(EngineFailure) -> String {
        do {
            let text = try await exchange(samples, over: line)
            lastFailure.withLock { $0 = nil }
            return text
        } catch {
            if line.isOpen { lastFailure.withLock { $0 = error } }
            throw error
        }
    }

    private func exchange(_ samples: ArraySlice<Int16>, over line: EngineLine) async throws(EngineFailure) -> String {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: String.self)
        let asked = EngineQuestion()
        let limit = limits.answer(to: samples.count)
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) { [address] () -> Void in
            answer.fail(
                EngineFailure(
                    code: .hung, message: "\(address) did not answer within \(limit.components.seconds) seconds."))
        }
        // Whatever ends the wait also ends the connection: by time, by an answer, or by an answer that is none.
        answer.futureResult.whenComplete { _ in line.hangUp() }
        defer {
            deadline.cancel()
            line.hangUp()
        }
        do {
            let channel = try await connect(loop, answer, asked, within: limit)
            guard line.connect(channel) else {
                channel.close(promise: nil)
                throw Self.died(address)
            }
            try await checkOwner(of: channel, within: limit)
            try await send(samples, over: channel, line, asked)
        } catch let failure as EngineFailure {
            answer.fail(failure)
            // Whoever it is may have answered already, and must not be believed.
            throw failure
        } catch {
            // It may have answered, or its time may be over; else this is the reason.
            answer.fail(Self.died(address))
        }
        do {
            return try await answer.futureResult.get()
        } catch {
            throw error as? EngineFailure ?? Self.died(address)
        }
    }

    private func connect(
        _ loop: any EventLoop, _ answer: EventLoopPromise<String>, _ asked: EngineQuestion, within limit: Duration
    ) async throws(EngineFailure) -> any Channel {
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(limit)).channelInitializer {
            [address, limits] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(EngineAnswer(answer, to: asked, address, limits))
            }
        }
        do {
            switch address.place {
            case .unix(let path): return try await bootstrap.connect(unixDomainSocketPath: path).get()
            case .tcp(let host, let port): return try await bootstrap.connect(host: host, port: port).get()
            }
        } catch {
            throw EngineFailure(
                code: .unreachable, message: "Nobody answers at \(address) (\(error)). Start the engine there.")
        }
    }

    /// Everybody can make a socket in a folder for all, or take a port that is free.
    private func checkOwner(of channel: any Channel, within limit: Duration) async throws {
        guard !isAllowedByAdministrator else { return }
        let end = ContinuousClock.now + limit
        var owner = try await owner(of: channel)
        // A TCP connection belongs to nobody until the engine has accepted it, which the kernel tells nobody of.
        while owner == nil, channel.isActive, ContinuousClock.now < end {
            try await Task.sleep(for: Self.acceptPause)
            owner = try await self.owner(of: channel)
        }
        guard let owner, owner == 0 || owner == geteuid() else {
            let who = owner.map { "user \($0)" } ?? "somebody unknown"
            throw EngineFailure(
                code: .foreign,
                message: "\(address) is served by \(who), so nothing was sent there. An administrator can allow it in "
                    + "engines.yaml; Documentation/Wyoming.md says how.")
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
        _ samples: ArraySlice<Int16>, over channel: any Channel, _ line: EngineLine, _ asked: EngineQuestion
    ) async throws {
        let format: [String: WyomingValue] = ["rate": .number(16_000), "width": .number(2), "channels": .number(1)]
        try await Self.write(WyomingEvent(type: "transcribe"), channel)
        try await Self.write(WyomingEvent(type: "audio-start", data: format), channel)
        var rest = samples
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceLength / 2)
            rest = rest.dropFirst(piece.count)
            guard line.mayCarryAudio() else { throw Self.died(address) }
            let payload = piece.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            try await Self.write(WyomingEvent(type: "audio-chunk", data: format, payload: payload), channel)
        }
        asked.isPut = true
        try await Self.write(WyomingEvent(type: "audio-stop"), channel)
    }

    private static func write(_ event: WyomingEvent, _ channel: any Channel) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: try event.encoded())).get()
    }

    static func died(_ address: EngineAddress) -> EngineFailure {
        EngineFailure(
            code: .died, message: "\(address) closed the connection before it had answered. Its own log may say why.")
    }
}

/// What an engine outside of the service is given, and what is taken from it.
public struct EngineLimits: Sendable, Hashable {
    /// To connect, to take the audio and to answer: this, and a multiple of the utterance's length. The first utterance may
    /// load its model.
    public var answer: Duration
    public var answerPerSecond: Double
    /// Bytes of a transcript.
    public var text = 65_536
    /// Events before the transcript.
    public var events = 1_000
    /// Seconds of an utterance; what is longer is not sent.
    public var utterance = 95.0

    public init(answer: Duration = .seconds(10), answerPerSecond: Double = 2) {
        self.answer = answer
        self.answerPerSecond = answerPerSecond
    }

    func answer(to samples: Int) -> Duration { answer + .seconds(answerPerSecond * Double(samples) / 16_000) }
}

/// Why an engine outside of the service gave no text.
public struct EngineFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: EngineFallback.Reason
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: EngineFallback.Reason, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
