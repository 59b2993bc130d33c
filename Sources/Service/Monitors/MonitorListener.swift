import Authorization
import Foundation
import Sessions
import Speech

/// Listens once for the monitors of one client, until one of them is triggered or something ends it. Nothing of what was
/// heard is kept; the only result is which monitor was triggered.
final class MonitorListener: ClientSession {
    enum Outcome: Sendable {
        case triggered(MonitorRegistration)
        /// Another session needs the device, a permission ended, or the service stops. The reason is that of the record.
        case ended(String)
        case failed(String)
    }

    let context: SessionContext
    let monitors: [MonitorRegistration]
    var phrases: [String] { monitors.compactMap(\.kind.phrase) }

    private let parts: MonitorService.Parts
    private let outcomes: AsyncStream<Outcome>
    private let decide: AsyncStream<Outcome>.Continuation

    /// - Parameter presence: of the running client; in the background if it does not run.
    init(
        _ monitors: [MonitorRegistration], _ requester: Requester, _ parts: MonitorService.Parts,
        presence: @escaping @Sendable () async -> Presence
    ) {
        self.monitors = monitors
        self.parts = parts
        // It reports no words, so what the client declares of sharing is enough.
        context = SessionContext(
            requester: requester, gate: parts.runner.gate, ledger: parts.runner.ledger, presence: presence,
            monitorAction: monitors.first?.action, onEngine: parts.runner.registry.noteEngine)
        (outcomes, decide) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        context.abandoned.onSet { [decide] in decide.yield(.ended($0.rawValue)) }
    }

    private var gate: Gate { parts.runner.gate }

    /// Ends it because a session of its client, or another set of monitors, replaces it.
    func stop() { decide.yield(.ended("replaced")) }

    /// Returns when it is over, closed and recorded.
    func listen() async -> Outcome {
        // A monitor that only notifies the user needs less permission than one that starts a program.
        let action = monitors.allSatisfy { $0.action == .notify } ? MonitorAction.notify : .start
        do {
            guard !phrases.isEmpty else {
                let microphone = try await gate.microphoneGrant(for: requester, monitor: action)
                return await hear(microphone, nil, try await begin([microphone.lease]))
            }
            let grants = try await gate.dictationGrants(for: requester, monitor: action)
            let requested = RecognitionConfiguration(task: .keyPhrases(phrases.map { KeyPhrase($0) }))
            let record = try await begin(
                [grants.microphone.lease, grants.speechRecognition.lease],
                engine: parts.recognizer.engine(for: requested))
            let recognition: any RecognitionSession
            do {
                recognition = try await parts.recognizer.start(requested, grant: grants.speechRecognition)
            } catch {
                return await ended(record, failing: error)
            }
            return await hear(grants.microphone, recognition, record)
        } catch let error as SessionAbandoned {
            return .ended(error.ending.rawValue)
        } catch {
            return .failed("\(error)")
        }
    }

    /// - Throws: as `SessionRecord.begin`; the leases are given back then.
    private func begin(_ leases: [Lease], engine: SpeechEngine = .ofService) async throws -> SessionRecord {
        let record = SessionRecord(context, leases, device: parts.device, engine: engine)
        try await record.begin()
        for lease in leases {
            lease.onEnd { [decide] in decide.yield(.ended(DictationEnding($0).rawValue)) }
            // It begins again when its user is back.
            lease.onAbsenceChange { [decide, weak lease] in
                if let absence = lease?.absence { decide.yield(.ended(absence.rawValue)) }
            }
        }
        if let absence = record.absence { decide.yield(.ended(absence.rawValue)) }
        return record
    }

    private func ended(_ record: SessionRecord, failing error: any Error) async -> Outcome {
        let ending = record.leaseEnding
        let reason = await record.end(failing: error)
        if let ending = ending ?? (reason as? SessionAbandoned)?.ending { return .ended(ending.rawValue) }
        return .failed("\(reason)")
    }

    private func hear(
        _ microphone: borrowing MicrophoneGrant, _ recognition: (any RecognitionSession)?, _ record: SessionRecord
    ) async -> Outcome {
        let stream: any CaptureStream
        do {
            stream = try await parts.source.open(device: parts.device, onLoss: .end, grant: microphone)
        } catch {
            await recognition?.cancel()
            return await ended(record, failing: error)
        }
        let hearing = Task { await pump(stream, recognition, record) }
        let understanding = Task { [monitors, decide] in
            guard let recognition else { return }
            for await event in recognition.events {
                switch event {
                case .final(let transcript):
                    if let monitor = monitors.first(where: { $0.kind == .keyPhrase(transcript.text) }) {
                        decide.yield(.triggered(monitor))
                    }
                case .failed(let error): decide.yield(.failed(error.message))
                case .speechStarted, .partial, .sound, .learnt, .progress, .incomplete, .finished: break
                }
            }
            decide.yield(.failed("The recogniser stopped without a reason."))
        }
        var outcome = Outcome.ended(DictationEnding.serviceStopped.rawValue)
        for await first in outcomes {
            outcome = first
            break
        }
        // The end of a permission takes precedence over what was heard.
        if let ending = record.leaseEnding { outcome = .ended(ending.rawValue) }
        let capture = await stream.stop()
        understanding.cancel()
        await recognition?.cancel()
        let account = await hearing.value.account(
            to: capture.captured, droppingRest: record.leaseEnding == nil ? .sessionEnded : .permissionEnded)
        // If the log cannot be written, it refuses the next session.
        try? await record.end(
            SessionOutcome(reason: outcome.reason, account: account, isDeviceHeld: !capture.isClosed), givesText: false)
        return outcome
    }

    private func pump(
        _ capture: any CaptureStream, _ recognition: (any RecognitionSession)?, _ record: SessionRecord
    ) async -> CaptureAccount {
        let onSound = monitors.first { $0.kind == .soundBegan }
        let ground = recognition == nil ? ListeningGround.sound : .phrase
        var onset = SoundOnset()
        var account = CaptureAccount()
        for await event in capture.events {
            account.note(event)
            switch event {
            case .frames(let frames):
                guard record.leaseEnding == nil else {
                    account.add(frames.samples.count, as: .dropped(.permissionEnded))
                    continue
                }
                guard record.absence == nil else {
                    account.add(frames.samples.count, as: .dropped(.background))
                    continue
                }
                guard await mayHear(record) else {
                    account.add(frames.samples.count, as: .dropped(.background))
                    decide.yield(.ended(DictationEnding.background.rawValue))
                    continue
                }
                if let onSound, onset.take(frames.samples) { decide.yield(.triggered(onSound)) }
                let isTaken = await recognition?.accept(frames) ?? true
                account.add(frames.samples.count, as: isTaken ? .heard(ground) : .dropped(.sessionEnded))
            case .failed(let error): decide.yield(.failed(error.message))
            case .overrun, .asleep, .deviceLost, .deviceReturned, .paused, .resumed: break
            }
        }
        return account
    }

    /// With a permission while in use, a monitor that delivers to its client hears nothing while the client is in the
    /// background.
    private func mayHear(_ record: SessionRecord) async -> Bool {
        if monitors.allSatisfy({ $0.action != .start }) { return true }
        return record.allowsListening(in: await presence())
    }
}

extension MonitorListener.Outcome {
    /// As in the record of the listening.
    fileprivate var reason: String {
        switch self {
        case .triggered: "triggered"
        case .ended(let reason): reason
        case .failed: DictationEnding.failed.rawValue
        }
    }
}
