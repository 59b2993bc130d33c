import Authorization
import Base
import Synchronization

/// One sound file turned into text for one client, with a grant of speech recognition alone. The file is decoded while it
/// is uploaded.
///
/// It continues in the background: nothing is captured, and the client supplied the file in the foreground.
public actor FileTranscription: ClientSession {
    public nonisolated let context: SessionContext

    private nonisolated let recognizer: any Recognizer
    private nonisolated let recognition: RecognitionConfiguration
    private let start = ContinuousClock.now
    private var lastProgress = -1.0
    private var parts: Parts?

    private struct Parts {
        let record: SessionRecord
        let recognition: any RecognitionSession
        let tee: SessionTee
        let upload: FileUpload
        let startUpload: @Sendable () -> Task<Void, Never>
    }

    /// Seconds between two `progress` events.
    private static let progressPause = 0.2

    public init(
        _ context: SessionContext, recognizer: any Recognizer,
        recognition: RecognitionConfiguration = RecognitionConfiguration(input: .file)
    ) {
        self.context = context
        self.recognizer = recognizer
        self.recognition = recognition
    }

    public nonisolated var sharing: Sharing {
        recognizer.engine(for: context.fidelity.allowed(recognition)).isOutside ? .shared : context.sharing.atStart
    }

    /// Takes the grant and records the start.
    ///
    /// - Parameter file: the bytes of the file as they come; read by `run`. It throws `UploadError` if the client does not
    ///   send it to its end.
    /// - Throws: `AuthorizationError`, `RecognitionError`, `SessionAbandoned`, or the ledger's error. The session is over then,
    ///   and its end is recorded.
    public func open<File: AsyncSequence & Sendable>(_ file: File) async throws where File.Element == [UInt8] {
        try await recognizer.checkLanguage(of: recognition)
        let grant = try await context.gate.speechRecognitionGrant(for: requester)
        context.fidelity.begin(grant.lease, requester)
        var requested = context.fidelity.allowed(recognition)
        let record = SessionRecord(context, [grant.lease], device: nil, engine: recognizer.engine(for: requested))
        try await record.begin()
        requested.recorded = record.description.engine
        do {
            let recognition = try await recognizer.start(requested, grant: grant)
            let upload = FileUpload(to: recognition)
            parts = Parts(
                record: record, recognition: recognition, tee: SessionTee(record), upload: upload,
                startUpload: { upload.start(file) })
        } catch {
            throw await record.end(failing: error)
        }
    }

    /// Emits `started`, a `final` for each utterance, a `progress` now and then and one of the whole file, and `ended`. Nothing
    /// reads the file when it returns.
    ///
    /// - Parameter emit: must not block.
    /// - Throws: `RecognitionError` if the file is unreadable, or the upload's error; nothing was emitted then.
    public func run(_ emit: @escaping @Sendable (TimedDictationEvent) -> Void) async throws {
        guard let parts else { return }
        self.parts = nil
        // Cancelling the recogniser ends its events, and with them the decoding.
        let registration = context.abandoned.onSet { _ in Task { await parts.recognition.cancel() } }
        // The parts hold the context: with the handler they would keep each other, and the client's connection, for ever.
        defer { registration.cancel() }
        let reading = parts.startUpload()
        let outcome = await decode(parts, emit)
        await parts.recognition.cancel()
        await parts.tee.end(outcome.ending)
        do {
            try await parts.record.end(
                SessionOutcome(
                    reason: outcome.ending.rawValue, account: ListeningAccount([.heard(.foreground): outcome.frames])),
                sent: parts.recognition.hasSentAudio)
            if let error = outcome.error, !outcome.hasStarted {
                throw (error as? RecognitionError).map { context.fidelity.passing($0) } ?? error
            }
        } catch {
            await parts.upload.end(reading)
            throw error
        }
        send(.ended(outcome.ending, message: outcome.incompleteness ?? outcome.error.map { "\($0)" }), emit)
        await parts.upload.end(reading)
    }

    private struct Outcome {
        var ending = DictationEnding.failed
        var error: (any Error)?
        /// Why the rest of the file is missing.
        var incompleteness: String?
        /// Of the file's sound, decoded so far.
        var frames: Int64 = 0
        var hasStarted = false
    }

    private func decode(_ parts: Parts, _ emit: @Sendable (TimedDictationEvent) -> Void) async -> Outcome {
        var outcome = Outcome()
        func sendStarted() {
            guard !outcome.hasStarted else { return }
            outcome.hasStarted = true
            send(.started(session: identifier, device: nil, grants: parts.record.description.grants), emit)
        }
        for await event in parts.recognition.events {
            if let ending = parts.record.leaseEnding {
                outcome.ending = ending
                return outcome
            }
            switch event {
            case .progress(let seconds, let duration):
                sendStarted()
                outcome.frames = Int64(seconds * 16_000)
                sendProgress(seconds, duration, emit)
            case .final(let transcript):
                sendStarted()
                // Not every engine leaves out what is before `from`.
                guard transcript.start >= recognition.from - 0.005 else { continue }
                send(.final(transcript), emit, keeping: parts.tee)
            case .finished(let duration):
                sendStarted()
                // The file's header may have stated another duration, or none.
                send(.progress(seconds: duration, duration: duration), emit)
                outcome.frames = Int64(duration * 16_000)
                outcome.ending = outcome.incompleteness == nil ? .ended : .incomplete
                return outcome
            case .incomplete(let reason): outcome.incompleteness = reason
            case .failed(let error):
                if error.code == .permissionEnded { continue }
                await parts.record.recordFailure(of: error)
                outcome.ending = error.code == .workerHung ? .serviceStalled : .failed
                outcome.error = error
                return outcome
            case .speechStarted, .partial, .sound, .learnt:
                break
            }
        }
        let failure = parts.upload.failure
        if let ending = parts.record.leaseEnding {
            outcome.ending = ending
        } else if let cut = failure as? UploadError {
            (outcome.ending, outcome.error) = (cut.ending, cut)
        } else if let ending = context.abandoned.reason {
            outcome.ending = ending
        } else {
            outcome.error = failure
        }
        return outcome
    }

    private func sendProgress(
        _ seconds: Double, _ duration: Double?, _ emit: @Sendable (TimedDictationEvent) -> Void
    ) {
        let now = start.duration(to: .now) / .seconds(1)
        guard lastProgress < 0 || now >= lastProgress + Self.progressPause else { return }
        lastProgress = now
        send(.progress(seconds: seconds, duration: duration), emit)
    }

    /// - Parameter tee: also gets the event.
    private func send(
        _ event: DictationEvent, _ emit: @Sendable (TimedDictationEvent) -> Void, keeping tee: SessionTee? = nil
    ) {
        guard let event = context.fidelity.passing(event) else { return }
        tee?.emitted(event)
        emit(TimedDictationEvent(time: start.duration(to: .now) / .seconds(1), event: event))
    }
}

/// Passes a file to a recogniser while the client uploads it. How long the client may pause is decided where its bytes are
/// read.
final class FileUpload: Sendable {
    private struct State {
        var isOver = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let recognition: any RecognitionSession

    init(to recognition: any RecognitionSession) { self.recognition = recognition }

    /// Why the upload is incomplete.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Begins to read the file. An error cancels the recognition.
    func start<File: AsyncSequence & Sendable>(_ file: File) -> Task<Void, Never> where File.Element == [UInt8] {
        Task {
            do {
                for try await bytes in file {
                    await recognition.accept(file: bytes)
                    if state.withLock({ $0.isOver }) { break }
                }
                if !state.withLock({ $0.isOver }) { await recognition.finish() }
            } catch {
                state.withLock { if !$0.isOver { $0.failure = error } }
                await recognition.cancel()
            }
        }
    }

    /// Stops reading between two pieces, so that the connection can read on behind them; if no piece comes within a second,
    /// while it waits.
    func end(_ reading: Task<Void, Never>) async {
        state.withLock { $0.isOver = true }
        let limit = Task {
            try? await Task.sleep(for: .seconds(1))
            reading.cancel()
        }
        await reading.value
        limit.cancel()
    }
}

/// Why a client's file or request is incomplete.
public typealias UploadError = CodedError<UploadErrorCode>

public enum UploadErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The service waited for the client, and nothing came in time.
    case clientStalled
    /// The client closed the connection, or its sending side.
    case clientGone
}

extension UploadError {
    public static let clientStalled = UploadError(
        code: .clientStalled,
        message:
            "The client let the service wait too long for the rest of the request: a pause without a byte, or in "
            + "all more than it sent bytes for. Send it again.")
    public static let clientGone = UploadError(
        code: .clientGone,
        message: "The client closed the connection before it had sent the whole request. Send it again.")

    var ending: DictationEnding {
        switch code {
        case .clientStalled: .clientStalled
        case .clientGone: .disconnected
        }
    }
}
