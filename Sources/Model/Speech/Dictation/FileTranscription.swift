import Authorization
import Foundation
import Synchronization

/// One sound file turned into text for one client, standing on a grant of speech recognition alone. The file is worked on
/// while it comes.
///
/// It goes on when its client goes to the background: nothing is listened to, and the file was handed over in the
/// foreground.
public actor FileTranscription: EndableSession {
    public nonisolated let identifier: String
    public nonisolated let requester: Requester

    private let gate: Gate
    private let ledger: any Ledger
    private let recognizer: any Recognizer
    private let recognition: RecognitionConfiguration
    private let keeper: (any Keeper)?
    private nonisolated let currentPresence: @Sendable () -> Presence
    private nonisolated let sharingWatch: any SharingWatch
    private let patience: Duration
    private let start = ContinuousClock.now
    private var progressTold = -1.0
    private nonisolated let abandonment = Abandonment()
    private nonisolated let fidelity = SessionFidelity()
    private var parts: Parts?

    private struct Parts {
        let record: SessionRecord
        let lease: Lease
        let recognition: any RecognitionSession
        let tee: SessionTee
        let upload: FileUpload
        let startUpload: @Sendable () -> Task<Void, Never>
    }

    /// Seconds between two events that tell how far it is.
    private static let progressPause = 0.2

    /// - Parameter patience: how long the client may send nothing before its file counts as given up.
    public init(
        identifier: String, requester: Requester, gate: Gate, ledger: any Ledger, recognizer: any Recognizer,
        recognition: RecognitionConfiguration = RecognitionConfiguration(input: .file),
        keeper: (any Keeper)? = nil, presence: @escaping @Sendable () -> Presence, sharing: (any SharingWatch)? = nil,
        patience: Duration = .seconds(120)
    ) {
        self.identifier = identifier
        self.requester = requester
        self.gate = gate
        self.ledger = ledger
        self.recognizer = recognizer
        self.recognition = recognition
        self.keeper = keeper
        self.currentPresence = presence
        self.sharingWatch = sharing ?? DeclaredSharing(requester)
        self.patience = patience
    }

    public nonisolated var presence: Presence { currentPresence() }
    public nonisolated var sharing: Sharing { sharingWatch.atStart }

    public nonisolated func abandon(_ ending: DictationEnding) { abandonment.abandon(ending) }

    /// An event that was told and not read yet, as its client may have it now; `nil` when fidelity was lowered since.
    public nonisolated func passing(_ event: TimedDictationEvent) -> TimedDictationEvent? {
        fidelity.passing(event.event).map { TimedDictationEvent(time: event.time, event: $0) }
    }

    /// Takes the grant and writes the session down.
    ///
    /// - Parameter file: the bytes of the file as they come; read by `run`.
    /// - Throws: `AuthorizationError`, `RecognitionError`, `SessionAbandoned`, or the ledger's error. The session is over then,
    ///   and the log says so.
    public func open<File: AsyncSequence & Sendable>(_ file: File) async throws where File.Element == [UInt8] {
        let grant = try await gate.speechRecognitionGrant(for: requester)
        do {
            try await fidelity.begin(grant.lease, requester, gate)
        } catch {
            await gate.finish(grant.lease)
            throw error
        }
        let record = SessionRecord(
            description: SessionDescription(
                identifier: identifier, requester: requester, leases: [grant.lease], device: nil, sharing: sharing),
            ledger: ledger, gate: gate, leases: [grant.lease], abandonment: abandonment, sharing: sharingWatch)
        try await record.begin()
        do {
            try record.checkGoingOn()
            let recognition = try await recognizer.start(fidelity.allowed(recognition), grant: grant)
            let upload = FileUpload(to: recognition, patience: patience)
            parts = Parts(
                record: record, lease: grant.lease, recognition: recognition,
                tee: SessionTee(keeper, record.description, [grant.lease]), upload: upload,
                startUpload: { upload.start(file) })
        } catch {
            throw await record.end(failing: error)
        }
    }

    /// Hands the file on; tells `started`, a `final` for each utterance, now and then a `progress`, at the end one of the whole
    /// file, and `ended`. Nothing reads the file any more when it returns.
    ///
    /// - Parameter emit: must not block.
    /// - Throws: `RecognitionError` when the file cannot be read, or what reading it threw; nothing was told then.
    public func run(_ emit: @escaping @Sendable (TimedDictationEvent) -> Void) async throws {
        guard let parts else { return }
        self.parts = nil
        // Cancelling the recogniser ends its events, and with them the decoding.
        abandonment.onAbandon { Task { await parts.recognition.cancel() } }
        let reading = parts.startUpload()
        let outcome = await decode(parts, emit)
        await parts.recognition.cancel()
        await parts.tee.end(outcome.ending)
        do {
            try await parts.record.end(outcome.ending, frames: outcome.frames)
            if let error = outcome.error, !outcome.hasTold {
                throw (error as? RecognitionError).map { fidelity.passing($0) } ?? error
            }
        } catch {
            await parts.upload.end(reading)
            throw error
        }
        tell(.ended(outcome.ending, message: outcome.error.map { "\($0)" }), emit)
        await parts.upload.end(reading)
    }

    private struct Outcome {
        var ending = DictationEnding.failed
        var error: (any Error)?
        var frames: Int64 = 0
        var hasTold = false
    }

    private func decode(_ parts: Parts, _ emit: @Sendable (TimedDictationEvent) -> Void) async -> Outcome {
        var outcome = Outcome()
        func tellStarted() {
            guard !outcome.hasTold else { return }
            outcome.hasTold = true
            tell(.started(session: identifier, device: nil, grants: parts.record.description.grants), emit)
        }
        for await event in parts.recognition.events {
            if let ending = parts.lease.ending {
                outcome.ending = DictationEnding(ending)
                return outcome
            }
            switch event {
            case .progress(let seconds, let duration):
                tellStarted()
                tellProgress(seconds, duration, emit)
            case .final(let transcript):
                tellStarted()
                // An engine may not know how to leave out what the client has.
                guard transcript.start >= recognition.from - 0.005 else { continue }
                tell(.final(transcript), emit, keeping: parts.tee)
            case .finished(let duration):
                tellStarted()
                // How long it was is known only now, where its header did not say it or lied.
                tell(.progress(seconds: duration, duration: duration), emit)
                outcome.frames = Int64(duration * 16_000)
                outcome.ending = .ended
                return outcome
            case .failed(let error):
                if error.code == .permissionEnded { continue }
                await parts.record.recordFailure(of: error)
                outcome.ending = .failed
                outcome.error = error
                return outcome
            case .noisy(let decibels):
                tellStarted()
                tell(.noisy(decibels: decibels), emit)
            case .fellBack(let fallback):
                tellStarted()
                tell(.fallback(fallback), emit)
            case .speechStarted, .partial, .learnt:
                break
            }
        }
        if let ending = parts.lease.ending {
            outcome.ending = DictationEnding(ending)
        } else if let ending = abandonment.ending {
            outcome.ending = ending
        } else {
            outcome.error = parts.upload.failure
        }
        return outcome
    }

    private func tellProgress(
        _ seconds: Double, _ duration: Double?, _ emit: @Sendable (TimedDictationEvent) -> Void
    ) {
        let now = start.duration(to: .now) / .seconds(1)
        guard progressTold < 0 || now >= progressTold + Self.progressPause else { return }
        progressTold = now
        tell(.progress(seconds: seconds, duration: duration), emit)
    }

    /// - Parameter tee: gets the event as its client does.
    private func tell(
        _ event: DictationEvent, _ emit: @Sendable (TimedDictationEvent) -> Void, keeping tee: SessionTee? = nil
    ) {
        guard let event = fidelity.passing(event) else { return }
        tee?.told(event)
        emit(TimedDictationEvent(time: start.duration(to: .now) / .seconds(1), event: event))
    }
}

/// Hands a file on to a recogniser as its client sends it, and gives up on one that stops sending.
final class FileUpload: Sendable {
    private struct State {
        /// Since when the client has been waited for; `nil` while the recogniser is.
        var waitingSince: ContinuousClock.Instant? = .now
        var isOver = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let recognition: any RecognitionSession
    private let patience: Duration

    /// - Parameter patience: how long nothing may come before the file counts as given up.
    init(to recognition: any RecognitionSession, patience: Duration) {
        self.recognition = recognition
        self.patience = patience
    }

    /// Why the file did not come to its end.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Begins to read the file. What it fails with cancels the recognition.
    func start<File: AsyncSequence & Sendable>(_ file: File) -> Task<Void, Never> where File.Element == [UInt8] {
        Task {
            let watch = Task { await self.watch() }
            do {
                for try await bytes in file {
                    state.withLock { $0.waitingSince = nil }
                    await recognition.accept(file: bytes)
                    state.withLock { $0.waitingSince = .now }
                    if state.withLock({ $0.isOver }) { break }
                }
                let isComplete = state.withLock { state in
                    state.waitingSince = nil
                    return !state.isOver && state.failure == nil
                }
                // What was broken off looks like an end to who reads it.
                if isComplete { await recognition.finish() }
            } catch {
                await give(up: error)
            }
            watch.cancel()
        }
    }

    /// Stops reading between two pieces, so that whoever reads on finds the rest of the file; where none comes, in the middle.
    func end(_ reading: Task<Void, Never>) async {
        state.withLock { $0.isOver = true }
        let timeout = Task {
            try? await Task.sleep(for: .seconds(1))
            reading.cancel()
        }
        await reading.value
        timeout.cancel()
    }

    private func watch() async {
        while !Task.isCancelled {
            let since = state.withLock { $0.waitingSince } ?? .now
            guard ContinuousClock.now < since + patience else { return await give(up: Self.stalled) }
            try? await Task.sleep(until: since + patience)
        }
    }

    private func give(up error: any Error) async {
        state.withLock { if !$0.isOver, $0.failure == nil { $0.failure = error } }
        await recognition.cancel()
    }

    private static let stalled = RecognitionError(
        code: .badAudio, message: "No more of the sound file came, though it had not come to its end; send it again.")
}
