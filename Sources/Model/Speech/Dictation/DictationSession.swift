import Authorization

/// One use of the microphone and the recogniser by one client, with two grants.
///
/// `start()` opens, `run(_:)` emits events until the end and closes. The device is closed and the end is recorded before
/// `ended` is emitted.
public actor DictationSession: ClientSession {
    public nonisolated let context: SessionContext
    public nonisolated let configuration: DictationConfiguration

    private let source: any MicrophoneSource
    private nonisolated let recognizer: any Recognizer
    private let learning: SessionLearning
    private nonisolated let inputs: AsyncStream<SessionInput>
    private nonisolated let queue: AsyncStream<SessionInput>.Continuation
    private var parts: Parts?
    /// The cepstral mean of the session's speech.
    private var learnt: CepstralMean?
    /// Why no more audio is captured, while the recogniser takes and decodes the rest.
    private var finishing: (ending: DictationEnding, message: String?, draining: Task<Void, Never>)?

    /// What an open session consists of.
    private struct Parts {
        let record: SessionRecord
        let capture: any CaptureStream
        let recognition: any RecognitionSession
        let pump: FramePump
        let tee: SessionTee
        let pumping: Task<Void, Never>
        let hearing: Task<Void, Never>
        let start: ContinuousClock.Instant
    }

    public init(
        _ context: SessionContext, configuration: DictationConfiguration, source: any MicrophoneSource,
        recognizer: any Recognizer, means: (any MicrophoneMeans)? = nil
    ) {
        self.context = context
        self.configuration = configuration
        self.source = source
        self.recognizer = recognizer
        self.learning = SessionLearning(means: means, device: configuration.device, requester: context.requester)
        // Unbounded, because a lost ending would keep the device open. The amount of speech bounds what fills it, and the
        // pump reports no progress before the last report was read.
        (inputs, queue) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        context.abandoned.onSet { [queue] in queue.yield(.abandoned($0)) }
    }

    public nonisolated var sharing: Sharing {
        // Before the grant it is unknown whether only phrases may be recognised.
        recognizer.engine(for: recognitionConfiguration).isOutside ? .shared : context.sharing.atStart
    }

    /// Has no effect after the session's end.
    public nonisolated func control(_ control: SessionControl) { queue.yield(.control(control)) }

    /// Takes the grants, records the start, and only then opens the device.
    ///
    /// - Throws: `AuthorizationError`, `RecognitionError`, `CaptureError`, `SessionAbandoned`, or the ledger's error. The
    ///   session is over then, and its end is recorded.
    public func start() async throws {
        try await recognizer.checkLanguage(of: configuration.recognition)
        let grants = try await context.gate.dictationGrants(for: requester)
        let leases = [grants.speechRecognition.lease, grants.microphone.lease]
        context.fidelity.begin(grants.speechRecognition.lease, requester)
        let record = SessionRecord(
            context, leases, device: configuration.device, engine: recognizer.engine(for: recognitionConfiguration))
        try await record.begin()
        do {
            var requested = recognitionConfiguration
            requested.recorded = record.description.engine
            requested.mean = await learning.mean(leases)
            let recognition = try await recognizer.start(requested, grant: grants.speechRecognition)
            do {
                // The client may have disconnected while the recogniser started.
                try record.checkNotAbandoned()
                let capture = try await source.open(
                    device: configuration.device, onLoss: configuration.onDeviceLoss, grant: grants.microphone)
                parts = connect(record, capture, recognition)
            } catch {
                await recognition.cancel()
                throw error
            }
        } catch {
            throw await record.end(failing: error)
        }
    }

    /// Emits events until the session ends, and closes everything.
    ///
    /// - Parameter emit: must not block: a slow client must not delay the end of a permission.
    public func run(_ emit: @escaping @Sendable (TimedDictationEvent) -> Void) async {
        guard let parts else { return }
        self.parts = nil
        let send: @Sendable (DictationEvent) -> Void = { [fidelity = context.fidelity] in
            guard let event = fidelity.passing($0) else { return }
            parts.tee.emitted(event)
            emit(TimedDictationEvent(time: parts.start.duration(to: .now) / .seconds(1), event: event))
        }
        send(.started(session: identifier, device: configuration.device, grants: parts.record.description.grants))
        if configuration.beginsSuspended { send(.paused(reason: .suspended)) }
        let (ending, message) = await listen(parts, send)
        queue.finish()
        finishing?.draining.cancel()
        let capture = await parts.capture.stop()
        await parts.recognition.cancel()
        parts.hearing.cancel()
        // What waits for the recogniser is counted as dropped.
        await parts.pumping.value
        await parts.tee.end(ending)
        await learning.keep(learnt, of: parts.record, ending)
        var closingMessage = capture.isClosed ? message : CaptureError.held(configuration.device).message
        do {
            try await parts.record.end(
                SessionOutcome(
                    reason: ending.rawValue, account: parts.pump.account(to: capture.captured),
                    isDeviceHeld: !capture.isClosed), sent: parts.recognition.hasSentAudio)
        } catch {
            closingMessage = "The session ended, but its end could not be written to the consent log: \(error)"
        }
        send(.ended(ending, message: closingMessage))
    }

    private nonisolated var recognitionConfiguration: RecognitionConfiguration {
        context.fidelity.allowed(configuration.recognition)
    }

    private func connect(
        _ record: SessionRecord, _ capture: any CaptureStream, _ recognition: any RecognitionSession
    ) -> Parts {
        let tee = SessionTee(record)
        let pump = FramePump(
            leases: record.leases, recognition: recognition, tee: tee, presence: context.presence,
            reportsSound: configuration.reportsSound
        ) { [queue] in queue.yield($0) }
        pump.isSuspended = configuration.beginsSuspended
        for lease in record.leases {
            lease.onEnd { [queue] in queue.yield(.leaseEnded($0)) }
        }
        let pumping = Task { await pump.run(capture) }
        let hearing = Task { [queue] in
            for await event in recognition.events { queue.yield(.recognition(event)) }
            queue.yield(.recognitionEnded)
        }
        return Parts(
            record: record, capture: capture, recognition: recognition, pump: pump, tee: tee,
            pumping: pumping, hearing: hearing, start: .now)
    }

    /// Handles inputs until one of them ends the session.
    private func listen(
        _ parts: Parts, _ send: @Sendable (DictationEvent) -> Void
    ) async -> (DictationEnding, String?) {
        var silence = SilenceWatch(limit: configuration.stopAfterSilence)
        var absence: Absence?
        for await input in inputs {
            // An ended permission takes precedence over anything queued.
            if let ending = parts.record.leaseEnding { return (ending, nil) }
            switch input {
            case .leaseEnded(let ending):
                return (DictationEnding(ending), nil)
            case .abandoned(let ending):
                return (ending, ending == .serviceStopped ? "The service is being stopped." : nil)
            case .control(.cancel):
                return (.cancelled, nil)
            case .control(.end):
                finish(parts, .ended)
            case .control(.suspend) where !parts.pump.isSuspended:
                parts.pump.isSuspended = true
                send(.paused(reason: .suspended))
            case .control(.resume) where parts.pump.isSuspended:
                parts.pump.isSuspended = false
                silence.listensAgain()
                send(.resumed(reason: .suspended))
            case .control:
                break
            case .progress(let seconds, let decibels):
                parts.pump.progressWasSeen()
                if configuration.reportsLevel { send(.level(decibels)) }
                if silence.isOver(at: seconds) { finish(parts, .silence) }
            case .noSound(let decibels):
                send(.noSound(decibels: decibels))
            case .heard(let samples):
                send(.sound(samples))
            case .capture(.overrun(let lostFrames)):
                send(.overrun(lostFrames: lostFrames))
            case .capture(.asleep(let frames)):
                silence.listensAgain()
                send(.overrun(lostFrames: frames, cause: .suspended))
            case .capture(.deviceLost):
                send(.paused(reason: .deviceLost))
            case .capture(.deviceReturned):
                silence.listensAgain()
                send(.resumed(reason: .deviceLost))
            case .capture(.paused(let reason)):
                absence = reason
                // The device is closed. The client learns it when that is durable.
                await parts.record.pause(reason)
                send(.paused(reason: PauseReason(reason)))
            case .capture(.resumed):
                guard let reason = absence.take() else { break }
                silence.listensAgain()
                await parts.record.resume(reason)
                send(.resumed(reason: PauseReason(reason)))
            case .wentToBackground:
                send(.paused(reason: .background))
            case .returned:
                silence.listensAgain()
                send(.resumed(reason: .background))
            case .capture(.failed(let error)):
                finish(parts, error.code == .deviceLost ? .deviceLost : .failed, error.message)
            case .recognition(.speechStarted(let at)):
                // At reduced fidelity the time of the end must not reveal other speech.
                if !context.fidelity.isReduced { silence.speechStarted(at: at) }
                send(.speechStarted(at: at))
            case .recognition(.partial(let partial)):
                send(.partial(partial))
            case .recognition(.final(let transcript)):
                if context.fidelity.passing(.final(transcript)) != nil {
                    // With a grammar, other speech has none; a text may have been expected.
                    let isSpeech = !transcript.text.isEmpty || recognitionConfiguration.task.grammar != nil
                    silence.utteranceEnded(at: transcript.end, hasWords: isSpeech)
                }
                send(.final(transcript))
            case .recognition(.learnt(let mean)):
                learnt = mean
            case .recognition(.progress), .recognition(.sound), .recognition(.incomplete), .capture(.frames):
                break
            case .recognition(.finished):
                return finishing.map { ($0.ending, $0.message) } ?? (.ended, nil)
            case .recognition(.failed(let error)):
                await parts.record.recordFailure(of: error)
                return (.failed, error.message)
            case .recognitionEnded:
                return finishing.map { ($0.ending, $0.message) } ?? (
                    .failed, "The recogniser stopped without a reason."
                )
            }
        }
        return (.disconnected, nil)
    }

    /// Captures no more; what was captured until now is decoded to its end. Only the first call has an effect. Not awaited: a
    /// slow recogniser must not delay the end of a permission.
    private func finish(_ parts: Parts, _ ending: DictationEnding, _ message: String? = nil) {
        guard finishing == nil else { return }
        let draining = Task {
            await parts.capture.finish()
            await parts.pumping.value
            if !Task.isCancelled { await parts.recognition.finish() }
        }
        finishing = (ending, message, draining)
    }
}

/// How a session listens.
public struct DictationConfiguration: Sendable, Hashable {
    /// ALSA's PCM name.
    public var device: String
    public var onDeviceLoss: DeviceLossBehavior
    /// Seconds without speech that end the session, once speech has begun; `nil`: never.
    public var stopAfterSilence: Double?
    /// Of live input.
    public var recognition: RecognitionConfiguration
    /// Whether `level` events are sent.
    public var reportsLevel: Bool
    /// Whether `sound` events are sent, with the first 10 s that are heard.
    public var reportsSound = false
    /// Whether the session begins suspended.
    public var beginsSuspended: Bool

    public init(
        device: String = "default", onDeviceLoss: DeviceLossBehavior = .end, stopAfterSilence: Double? = nil,
        recognition: RecognitionConfiguration = RecognitionConfiguration(), reportsLevel: Bool = false,
        beginsSuspended: Bool = false
    ) {
        self.device = device
        self.onDeviceLoss = onDeviceLoss
        self.stopAfterSilence = stopAfterSilence
        self.recognition = recognition
        self.reportsLevel = reportsLevel
        self.beginsSuspended = beginsSuspended
    }
}

/// Detects that there was no speech for a while. It is armed when speech has begun, so that a slow start ends nothing.
struct SilenceWatch {
    private enum State {
        case waitingForSpeech
        case speaking(since: Double)
        case silent(since: Double)
    }

    /// Seconds; `nil`: never.
    let limit: Double?
    private var hasHeardWords = false
    private var state = State.waitingForSpeech
    /// When listening resumed after the last pause; the pause is not silence.
    private var resumedAt = 0.0
    private var awaitsFirstAudio = false

    init(limit: Double?) { self.limit = limit }

    mutating func speechStarted(at seconds: Double) { state = .speaking(since: seconds) }

    /// An utterance without words was a noise, and does not arm the watch. Its text may come after the next has begun.
    mutating func utteranceEnded(at seconds: Double, hasWords: Bool) {
        hasHeardWords = hasHeardWords || hasWords
        if case .speaking(let since) = state, since >= seconds { return }
        state = hasHeardWords ? .silent(since: seconds) : .waitingForSpeech
    }

    /// A pause is over. The audio's time went on during it, without audio.
    mutating func listensAgain() { awaitsFirstAudio = true }

    /// - Parameter seconds: audio captured so far.
    mutating func isOver(at seconds: Double) -> Bool {
        if awaitsFirstAudio {
            awaitsFirstAudio = false
            resumedAt = seconds
        }
        guard let limit, case .silent(let since) = state else { return false }
        return seconds - max(since, resumedAt) >= limit
    }
}
