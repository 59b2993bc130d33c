import Authorization
import CLinux
import Glibc
import NIOCore
import NIOPosix
import RecognizerProtocol
import Speech
import Synchronization

/// An external engine: a separate program that speaks Wyoming, such as the user's Whisper server. Each utterance goes to it
/// over its own channel.
public final class OutsideEngine: Sendable {
    public let address: EngineAddress
    let limits: EngineLimits
    private let isAllowedByAdministrator: Bool
    private let state = Mutex(State())

    private struct State {
        var lastFailure: RecognitionError?
        var declared: EngineDeclaration?
        /// When `declared`, or that there is none, need not be asked for before.
        var askAgain: ContinuousClock.Instant?
        var asking: Task<Void, Never>?
    }

    private static let acceptPause = Duration.milliseconds(20)

    /// - Parameter isAllowedByAdministrator: whether it may be on another host or run as another user.
    public init(
        _ address: EngineAddress, isAllowedByAdministrator: Bool = false, limits: EngineLimits = EngineLimits()
    ) {
        self.address = address
        self.isAllowedByAdministrator = isAllowedByAdministrator
        self.limits = limits
    }

    /// Why it did not recognise the last utterance; `nil` if it did, or there was none.
    public var problem: RecognitionError? { state.withLock { $0.lastFailure } }

    /// As records name it: by its address, and by what it called itself last.
    public var identity: SpeechEngine {
        let capabilities = declared?.capabilities
        return SpeechEngine(recipient: "\(address)", name: capabilities?.name, version: capabilities?.version)
    }

    /// BCP 47; `nil`: unknown.
    public var languages: [String]? { declared?.capabilities.languages }

    /// What it said of itself last; `nil` before.
    var declared: EngineDeclaration? { state.withLock { $0.declared } }

    /// The outcome of an utterance.
    func note(_ failure: RecognitionError?) { state.withLock { $0.lastFailure = failure } }

    /// Asks the engine what it is, unless that was asked lately. Returns when it has answered, or after a short time. Sends
    /// nothing of a user.
    public func describe() async {
        let asking = state.withLock { state -> Task<Void, Never>? in
            if let asking = state.asking { return asking }
            if let time = state.askAgain, time > .now { return nil }
            state.asking = Task {
                let declared = await ask()
                self.state.withLock { state in
                    state.declared = declared ?? state.declared
                    state.askAgain = .now + (declared == nil ? limits.silence : limits.description)
                    state.asking = nil
                }
            }
            return state.asking
        }
        await asking?.value
    }

    private func ask() async -> EngineDeclaration? {
        let (answers, answer) = AsyncStream.makeStream(of: EngineDeclaration?.self)
        let receiver = EngineEvents.Receiver { (event) throws(RecognitionError) in
            guard event.type == "info" else { return }
            answer.yield(EngineDeclaration(event))
            answer.finish()
        } end: { _ in
            answer.finish()
        }
        let deadline = Task {
            try await Task.sleep(for: limits.info)
            answer.finish()
        }
        let asking = Task { () -> (any Channel)? in
            guard let channel = try? await connect(receiver) else {
                answer.finish()
                return nil
            }
            do {
                try await checkOwner(of: channel)
                try await channel.writeAndFlush(ByteBuffer(bytes: try WyomingEvent(type: "describe").encoded())).get()
            } catch {
                answer.finish()
            }
            return channel
        }
        var declared: EngineDeclaration?
        for await answer in answers {
            declared = answer
            break
        }
        deadline.cancel()
        asking.cancel()
        // Connecting may take longer than the caller waits.
        Task { await asking.value?.close(promise: nil) }
        return declared
    }

    func connect(_ receiver: EngineEvents.Receiver) async throws(RecognitionError) -> any Channel {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(limits.answer)).channelInitializer {
            [address, limits] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(EngineEvents(receiver, address, limits))
            }
        }
        do {
            switch address.place {
            case .unix(let path): return try await bootstrap.connect(unixDomainSocketPath: path).get()
            case .tcp(let host, let port): return try await bootstrap.connect(host: host, port: port).get()
            }
        } catch {
            throw RecognitionError(
                code: .workerUnavailable, message: "\(address) does not answer (\(error)). Start the engine.")
        }
    }

    /// Any user can create a socket in a shared folder, or listen on a free port.
    func checkOwner(of channel: any Channel) async throws(RecognitionError) {
        guard !isAllowedByAdministrator else { return }
        do {
            var owner = try await owner(of: channel)
            // A TCP connection has no owner before the engine accepts it, and the kernel does not report that.
            while owner == nil, channel.isActive {
                try await Task.sleep(for: Self.acceptPause)
                owner = try await self.owner(of: channel)
            }
            guard let owner else { throw address.died }
            guard owner == 0 || owner == geteuid() else {
                throw RecognitionError(
                    code: .workerUnavailable,
                    message: "\(address) is served by user \(owner), so nothing was sent there. An administrator can "
                        + "allow it in engines.yaml; see Documentation/Wyoming.md.")
            }
        } catch {
            throw error as? RecognitionError ?? address.died
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
}

/// Limits of what an external engine may take and send.
public struct EngineLimits: Sendable, Hashable {
    /// The time to connect; and to answer an utterance that was sent: this, and a multiple of its length. It may have to load
    /// its model first.
    public var answer: Duration
    public var answerPerSecond: Double
    /// The time to answer what it is; how long such an answer holds, and how long it is not asked again if there was none.
    public var info = Duration.seconds(2)
    public var description = Duration.seconds(300)
    public var silence = Duration.seconds(30)
    /// Bytes of a transcript.
    public var text = 65_536
    /// Events and bytes in one exchange.
    public var events = 1_000
    public var bytes = 4 << 20
    /// Seconds of an utterance; a longer one is not sent.
    public var utterance = 95.0
    /// Utterances of a session that the engine has at the same time; others wait.
    public var utterances = 4
    /// Seconds of speech that may wait for its answers when an utterance ends; behind more the engine is too slow.
    public var waiting = 60.0

    public init(answer: Duration = .seconds(10), answerPerSecond: Double = 2) {
        self.answer = answer
        self.answerPerSecond = answerPerSecond
    }

    func answer(to samples: Int) -> Duration { answer + .seconds(answerPerSecond * Double(samples) / 16_000) }
}
