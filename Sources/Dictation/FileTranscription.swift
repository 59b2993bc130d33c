import Authorization
import Foundation
import Recognition

/// One sound file turned into text for one client, standing on a grant of speech recognition alone.
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
    private let start = ContinuousClock.now
    private nonisolated let abandonment = Abandonment()
    private nonisolated let fidelity = SessionFidelity()
    private var parts: Parts?

    private struct Parts {
        let record: SessionRecord
        let lease: Lease
        let recognition: any RecognitionSession
        let tee: SessionTee
    }

    public init(
        identifier: String, requester: Requester, gate: Gate, ledger: any Ledger, recognizer: any Recognizer,
        recognition: RecognitionConfiguration = RecognitionConfiguration(input: .file),
        keeper: (any Keeper)? = nil, presence: @escaping @Sendable () -> Presence, sharing: (any SharingWatch)? = nil
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
    }

    public nonisolated var presence: Presence { currentPresence() }
    public nonisolated var sharing: Sharing { sharingWatch.atStart }

    public nonisolated func abandon(_ ending: DictationEnding) { abandonment.abandon(ending) }

    /// An event that was told and not read yet, as its client may have it now; `nil` when fidelity was lowered since.
    public nonisolated func passing(_ event: TimedDictationEvent) -> TimedDictationEvent? {
        fidelity.passing(event.event).map { TimedDictationEvent(time: event.time, event: $0) }
    }

    /// Takes the grant, writes the session down, and only then hands the file on.
    ///
    /// - Parameter file: the bytes of the file as they come.
    /// - Throws: `AuthorizationError`, `RecognitionError`, `SessionAbandoned`, the ledger's error, or that of `file`. The session is over
    ///   then, and the log says so.
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
            do {
                for try await bytes in file {
                    try record.checkGoingOn()
                    await recognition.accept(file: bytes)
                }
                try record.checkGoingOn()
            } catch {
                await recognition.cancel()
                throw error
            }
            await recognition.finish()
            parts = Parts(
                record: record, lease: grant.lease, recognition: recognition,
                tee: SessionTee(keeper, record.description, [grant.lease]))
        } catch {
            throw await record.end(failing: error)
        }
    }

    /// Tells `started`, a `final` for each utterance, and `ended`.
    ///
    /// - Parameter emit: must not block.
    /// - Throws: `RecognitionError` when the file cannot be read; nothing was told then.
    public func run(_ emit: @escaping @Sendable (TimedDictationEvent) -> Void) async throws {
        guard let parts else { return }
        self.parts = nil
        // Cancelling the recogniser ends its events, and with them the decoding.
        abandonment.onAbandon { Task { await parts.recognition.cancel() } }
        let outcome = await decode(parts, emit)
        await parts.recognition.cancel()
        await parts.tee.end(outcome.ending)
        try await parts.record.end(outcome.ending, frames: outcome.frames)
        if let error = outcome.error, !outcome.hasTold { throw fidelity.passing(error) }
        tell(.ended(outcome.ending, message: outcome.error?.message), emit)
    }

    private struct Outcome {
        var ending = DictationEnding.failed
        var error: RecognitionError?
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
            case .final(let transcript):
                tellStarted()
                tell(.final(transcript), emit, keeping: parts.tee)
            case .finished(let duration):
                tellStarted()
                outcome.frames = Int64(duration * 16_000)
                outcome.ending = .ended
                return outcome
            case .failed(let error):
                if error.code == .permissionEnded { continue }
                await parts.record.recordFailure(of: error)
                outcome.ending = .failed
                outcome.error = error
                return outcome
            case .speechStarted, .partial, .noisy, .learnt:
                break
            }
        }
        if let ending = parts.lease.ending {
            outcome.ending = DictationEnding(ending)
        } else if let ending = abandonment.ending {
            outcome.ending = ending
        }
        return outcome
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
