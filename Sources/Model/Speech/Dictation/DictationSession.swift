import Authorization
import Foundation

/// One use of the microphone and the recogniser by one client, standing on two grants.
///
/// `start()` opens, `run(_:)` tells events until the end and closes. The device is closed and the record of the end is
/// written before `ended` is told.
public actor DictationSession: EndableSession {
    public nonisolated let identifier: String
    public nonisolated let requester: Requester
    public nonisolated let configuration: DictationConfiguration

    private let gate: Gate
    private let ledger: any Ledger
    private let source: any MicrophoneSource
    private nonisolated let recognizer: any Recognizer
    private let keeper: (any Keeper)?
    private let learning: SessionLearning
    private nonisolated let currentPresence: @Sendable () -> Presence
    private nonisolated let sharingWatch: any SharingWatch

    private nonisolated let inputs: AsyncStream<SessionInput>
    private nonisolated let queue: AsyncStream<SessionInput>.Continuation
    private nonisolated let abandonment = Abandonment()
    private nonisolated let fidelity = SessionFidelity()
    private var parts: Parts?
    /// What the session's speech says of the microphone.
    private var learnt: CepstralMean?
    /// Why no more audio is taken, while the recogniser works on what it has.
    private var finishing: (ending: DictationEnding, message: String?)?

    /// - Parameters:
    ///   - presence: where the client stands at the moment of the call; asked for every batch of frames, so it must not
    ///     wait.
    ///   - sharing: default: what the client says.
    public init(
        identifier: String, requester: Requester, configuration: DictationConfiguration, gate: Gate,
        ledger: any Ledger, source: any MicrophoneSource, recognizer: any Recognizer,
        keeper: (any Keeper)? = nil, means: (any MicrophoneMeans)? = nil,
        presence: @escaping @Sendable () -> Presence, sharing: (any SharingWatch)? = nil
    ) {
        self.identifier = identifier
        self.requester = requester
        self.configuration = configuration
        self.gate = gate
        self.ledger = ledger
        self.source = source
        self.recognizer = recognizer
        self.keeper = keeper
        self.learning = SessionLearning(means: means, device: configuration.device, requester: requester)
        self.currentPresence = presence
        self.sharingWatch = sharing ?? DeclaredSharing(requester)
        // Unbounded, because losing an ending would hold the device; what fills it is bounded by the speech itself,
        // and the pump does not report progress that nobody has looked at yet.
        (inputs, queue) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    public nonisolated var presence: Presence { currentPresence() }
    public nonisolated var sharing: Sharing {
        // Before the grant nobody knows yet that only phrases may be recognised.
        recognizer.engine(for: recognitionConfiguration) == .ofService ? sharingWatch.atStart : .shared
    }

    /// Says something to the running session; without effect after its end.
    public nonisolated func control(_ control: SessionControl) { queue.yield(.control(control)) }

    public nonisolated func abandon(_ ending: DictationEnding) {
        abandonment.abandon(ending)
        queue.yield(.abandoned(ending))
    }

    /// An event that was told and not read yet, as its client may have it now; `nil` when fidelity was lowered since.
    public nonisolated func passing(_ event: TimedDictationEvent) -> TimedDictationEvent? {
        fidelity.passing(event.event).map { TimedDictationEvent(time: event.time, event: $0) }
    }

    /// Takes the grants, writes the session down, and only then opens the device.
    ///
    /// - Throws: `AuthorizationError`, `RecognitionError`, `CaptureError`, `SessionAbandoned`, or the ledger's error. The
    ///   session is over then, and the log says so.
    public func start() async throws {
        let speechRecognition = try await gate.speechRecognitionGrant(for: requester)
        let microphone: MicrophoneGrant
        do {
            try await fidelity.begin(speechRecognition.lease, requester, gate)
            microphone = try await gate.microphoneGrant(for: requester)
        } catch {
            await gate.finish(speechRecognition.lease)
            throw error
        }
        let leases = [speechRecognition.lease, microphone.lease]
        let record = SessionRecord(
            description: SessionDescription(
                identifier: identifier, requester: requester, leases: leases, device: configuration.device,
                sharing: sharingWatch.atStart, engine: recognizer.engine(for: recognitionConfiguration)),
            ledger: ledger, gate: gate, leases: leases, abandonment: abandonment, sharing: sharingWatch)
        try await record.begin()
        do {
            try record.checkGoingOn()
            var asked = recognitionConfiguration
            asked.adaptation = await learning.adaptation(leases)
            let recognition = try await recognizer.start(asked, grant: speechRecognition)
            do {
                // The recogniser may have been waited for: nobody may be there any more.
                try record.checkGoingOn()
                let capture = try await source.open(
                    device: configuration.device, onLoss: configuration.onDeviceLoss, grant: microphone)
                parts = connect(record, capture, recognition, leases)
            } catch {
                await recognition.cancel()
                throw error
            }
        } catch {
            throw await record.end(failing: error)
        }
    }

    /// Tells events until the session ends, and closes everything.
    ///
    /// - Parameter emit: must not block; a client that reads slowly must not keep a permission from ending.
    public func run(_ emit: @escaping @Sendable (TimedDictationEvent) -> Void) async {
        guard let parts else { return }
        self.parts = nil
        let tell: @Sendable (DictationEvent) -> Void = { [fidelity] in
            guard let event = fidelity.passing($0) else { return }
            parts.tee.told(event)
            emit(TimedDictationEvent(time: parts.start.duration(to: .now) / .seconds(1), event: event))
        }
        tell(.started(session: identifier, device: configuration.device, grants: parts.record.description.grants))
        if configuration.beginsSuspended { tell(.paused(reason: .suspended)) }
        let (ending, message) = await listen(parts, tell)
        queue.finish()
        await parts.capture.stop()
        await parts.recognition.cancel()
        for task in parts.tasks { task.cancel() }
        await parts.tee.end(ending)
        await learning.keep(learnt, of: parts.record, ending)
        var closingMessage = message
        do {
            try await parts.record.end(ending, frames: parts.pump.frames, sent: parts.recognition.hasSentAudio)
        } catch {
            closingMessage = "The session ended, but its end could not be written to the consent log: \(error)"
        }
        tell(.ended(ending, message: closingMessage))
    }

    private nonisolated var recognitionConfiguration: RecognitionConfiguration {
        var recognition = RecognitionConfiguration(input: .live)
        if let endSilence = configuration.endSilence { recognition.endSilence = endSilence }
        if let grammar = configuration.grammar { recognition.task = .grammar(grammar) }
        recognition.userWords = configuration.userWords
        recognition.alternatives = configuration.alternatives
        return fidelity.allowed(recognition)
    }

    private func connect(
        _ record: SessionRecord, _ capture: any CaptureStream, _ recognition: any RecognitionSession, _ leases: [Lease]
    ) -> Parts {
        let tee = SessionTee(keeper, record.description, leases)
        let pump = FramePump(
            leases: leases, recognition: recognition, tee: tee, presence: currentPresence,
            patience: configuration.onceInBackground
        ) { [queue] in queue.yield($0) }
        pump.isSuspended = configuration.beginsSuspended
        for lease in leases {
            lease.onEnd { [queue] in queue.yield(.leaseEnded($0)) }
        }
        let pumping = Task { await pump.run(capture) }
        let hearing = Task { [queue] in
            for await event in recognition.events { queue.yield(.recognition(event)) }
            queue.yield(.recognitionEnded)
        }
        return Parts(
            record: record, capture: capture, recognition: recognition, pump: pump, tee: tee,
            tasks: [pumping, hearing],
            start: .now)
    }

    /// The loop that decides, input by input, until there is an ending.
    private func listen(
        _ parts: Parts, _ tell: @Sendable (DictationEvent) -> Void
    ) async -> (DictationEnding, String?) {
        var silence = SilenceWatch(limit: configuration.stopAfterSilence)
        for await input in inputs {
            // A permission that has ended ends the session before anything else that is queued.
            if let ending = parts.record.leases.lazy.compactMap(\.ending).first {
                return (DictationEnding(ending), nil)
            }
            switch input {
            case .leaseEnded(let ending):
                return (DictationEnding(ending), nil)
            case .abandoned(let ending):
                return (ending, ending == .serviceStopped ? "The service is being stopped." : nil)
            case .control(.cancel):
                return (.cancelled, nil)
            case .control(.end):
                await finish(parts, .ended)
            case .control(.suspend) where !parts.pump.isSuspended:
                parts.pump.isSuspended = true
                tell(.paused(reason: .suspended))
            case .control(.resume) where parts.pump.isSuspended:
                parts.pump.isSuspended = false
                silence.listensAgain()
                tell(.resumed(reason: .suspended))
            case .control:
                break
            case .progress(let seconds, let decibels):
                parts.pump.progressWasSeen()
                if configuration.reportsLevel { tell(.level(decibels)) }
                if silence.isOver(at: seconds) { await finish(parts, .silence) }
            case .overrun(let lostFrames):
                tell(.overrun(lostFrames: lostFrames))
            case .deviceLost:
                tell(.paused(reason: .deviceLost))
            case .deviceReturned:
                silence.listensAgain()
                tell(.resumed(reason: .deviceLost))
            case .wentToBackground:
                tell(.paused(reason: .background))
            case .returned:
                silence.listensAgain()
                tell(.resumed(reason: .background))
            case .leftForTooLong:
                // Ends those for once alone; the ending comes back through the queue.
                for lease in parts.record.leases { await gate.endOnceInBackground(lease) }
            case .captureFailed(let error):
                await finish(parts, error.code == .deviceLost ? .deviceLost : .failed, error.message)
            case .recognition(.speechStarted(let at)):
                // When the session ends must not tell of anything but phrases either.
                if !fidelity.isReduced { silence.speechStarted() }
                tell(.speechStarted(at: at))
            case .recognition(.partial(let partial)):
                tell(.partial(partial))
            case .recognition(.final(let transcript)):
                if fidelity.passing(.final(transcript)) != nil {
                    silence.utteranceEnded(at: transcript.end, hasWords: !transcript.text.isEmpty)
                }
                tell(.final(transcript))
            case .recognition(.noisy(let decibels)):
                tell(.noisy(decibels: decibels))
            case .recognition(.fellBack(let fallback)):
                tell(.fallback(fallback))
            case .recognition(.learnt(let mean)):
                learnt = mean
            case .recognition(.progress):
                break
            case .recognition(.finished):
                return finishing ?? (.ended, nil)
            case .recognition(.failed(let error)):
                await parts.record.recordFailure(of: error)
                return (.failed, error.message)
            case .recognitionEnded:
                return finishing ?? (.failed, "The recogniser stopped without a reason.")
            }
        }
        return (.disconnected, nil)
    }

    /// Takes no more audio; what was heard is decoded to its end. The first reason is the one that counts.
    private func finish(_ parts: Parts, _ ending: DictationEnding, _ message: String? = nil) async {
        guard finishing == nil else { return }
        finishing = (ending, message)
        await parts.capture.stop()
        await parts.recognition.finish()
    }
}

extension DictationSession {
    /// What an open session is made of.
    struct Parts {
        let record: SessionRecord
        let capture: any CaptureStream
        let recognition: any RecognitionSession
        let pump: FramePump
        let tee: SessionTee
        let tasks: [Task<Void, Never>]
        let start: ContinuousClock.Instant
    }
}

/// How a session listens.
public struct DictationConfiguration: Sendable, Hashable {
    /// ALSA's PCM name.
    public var device: String
    public var onDeviceLoss: DeviceLossBehavior
    /// Ends the session after this many seconds without speech, once speech has begun; `nil`: never.
    public var stopAfterSilence: Double?
    /// The pause that ends an utterance, in seconds; `nil`: the recogniser's default.
    public var endSilence: Double?
    /// A JSGF grammar: only what it allows is recognised; `nil`: whatever is said.
    public var grammar: String?
    public var userWords: UserWords
    /// Further readings of each utterance, 0…10.
    public var alternatives: Int
    /// Whether `level` events are sent.
    public var reportsLevel: Bool
    /// Whether nothing is heard before the client resumes it.
    public var beginsSuspended: Bool
    /// Frames at 16 kHz that a session with a yes for once may spend in the background before it ends.
    public var onceInBackground: Int64

    public init(
        device: String = "default", onDeviceLoss: DeviceLossBehavior = .end, stopAfterSilence: Double? = nil,
        endSilence: Double? = nil, grammar: String? = nil, userWords: UserWords = .none, alternatives: Int = 0,
        reportsLevel: Bool = false, beginsSuspended: Bool = false, onceInBackground: Int64 = 160_000
    ) {
        self.device = device
        self.onDeviceLoss = onDeviceLoss
        self.stopAfterSilence = stopAfterSilence
        self.endSilence = endSilence
        self.grammar = grammar
        self.userWords = userWords
        self.alternatives = alternatives
        self.reportsLevel = reportsLevel
        self.beginsSuspended = beginsSuspended
        self.onceInBackground = onceInBackground
    }
}
