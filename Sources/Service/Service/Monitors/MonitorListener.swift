import Authorization
import Foundation
import Speech

/// Listens once for the monitors of one client, until one of them is triggered or something ends it. Nothing of what was
/// heard is kept; the only result is which monitor was triggered.
final class MonitorListener: EndableSession {
    enum Outcome: Sendable {
        case triggered(MonitorRegistration)
        /// Another session needs the device, a permission ended, or the service stops. The reason is that of the record.
        case ended(String)
        case failed(String)
    }

    let identifier = UUID().uuidString.lowercased()
    let requester: Requester
    let monitors: [MonitorRegistration]
    var presence: Presence { readPresence() }
    var phrases: [String] { monitors.compactMap(\.kind.phrase) }
    /// It reports no words, so the client's declaration is enough.
    var sharing: Sharing { Sharing(requester.client.manifest?.practices) }

    private let parts: MonitorService.Parts
    private let readPresence: @Sendable () -> Presence
    private let outcomes: AsyncStream<Outcome>
    private let decide: AsyncStream<Outcome>.Continuation

    /// - Parameter presence: of the running client; in the background if it does not run.
    init(
        _ monitors: [MonitorRegistration], _ requester: Requester, _ parts: MonitorService.Parts,
        presence: @escaping @Sendable () -> Presence
    ) {
        self.monitors = monitors
        self.requester = requester
        self.parts = parts
        readPresence = presence
        (outcomes, decide) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    private var gate: Gate { parts.runner.gate }

    func abandon(_ ending: DictationEnding) { decide.yield(.ended(ending.rawValue)) }

    /// Ends it because a session of its client, or another set of monitors, replaces it.
    func stop() { decide.yield(.ended("replaced")) }

    /// Returns when it is over, closed and recorded.
    func listen() async -> Outcome {
        // A monitor that only notifies the user needs less permission than one that starts a program.
        let notifying = monitors.allSatisfy { $0.action == .notify }
        let microphone: MicrophoneGrant
        do {
            microphone = try await gate.microphoneGrant(for: requester, notifying: notifying)
        } catch {
            return .failed(error.message)
        }
        var leases = [microphone.lease]
        var recognition: (any RecognitionSession)?
        var outcome: Outcome
        var frames: Int64 = 0
        var hasBegun = false
        do {
            if phrases.isEmpty {
                try await begin(leases)
                hasBegun = true
            } else {
                let speech = try await gate.speechRecognitionGrant(for: requester, notifying: notifying)
                leases.append(speech.lease)
                try await begin(leases)
                hasBegun = true
                recognition = try await parts.recognizer.start(
                    RecognitionConfiguration(task: .keyPhrases(phrases.map { KeyPhrase($0) })), grant: speech)
            }
            for lease in leases {
                lease.onEnd { [decide] in decide.yield(.ended(DictationEnding($0).rawValue)) }
            }
            let capture = try await parts.source.open(device: parts.device, onLoss: .wait, grant: microphone)
            (outcome, frames) = await hear(capture, recognition, leases)
        } catch {
            outcome = .failed("\(error)")
        }
        await recognition?.cancel()
        if hasBegun { await recordEnd(outcome, leases, frames) }
        for lease in leases { await gate.finish(lease) }
        return outcome
    }

    private func hear(
        _ capture: any CaptureStream, _ recognition: (any RecognitionSession)?, _ leases: [Lease]
    ) async -> (Outcome, Int64) {
        let hearing = Task { await pump(capture, recognition, leases) }
        let understanding = Task { [monitors, decide] in
            guard let recognition else { return }
            for await event in recognition.events {
                switch event {
                case .final(let transcript):
                    if let monitor = monitors.first(where: { $0.kind == .keyPhrase(transcript.text) }) {
                        decide.yield(.triggered(monitor))
                    }
                case .failed(let error): decide.yield(.failed(error.message))
                case .speechStarted, .partial, .noisy, .learnt, .progress, .finished, .fellBack: break
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
        if let ending = leases.lazy.compactMap(\.ending).first { outcome = .ended(DictationEnding(ending).rawValue) }
        await capture.stop()
        understanding.cancel()
        return (outcome, await hearing.value)
    }

    private func pump(
        _ capture: any CaptureStream, _ recognition: (any RecognitionSession)?, _ leases: [Lease]
    ) async -> Int64 {
        let onSound = monitors.first { $0.kind == .soundBegan }
        var onset = SoundOnset()
        var count: Int64 = 0
        for await event in capture.events {
            switch event {
            case .frames(let frames):
                guard leases.allSatisfy(\.isLive) else { continue }
                guard mayHear(leases) else {
                    decide.yield(.ended(DictationEnding.background.rawValue))
                    continue
                }
                count += Int64(frames.samples.count)
                if let onSound, onset.take(frames.samples) { decide.yield(.triggered(onSound)) }
                await recognition?.accept(frames)
            case .failed(let error): decide.yield(.failed(error.message))
            case .overrun, .deviceLost, .deviceReturned: break
            }
        }
        return count
    }

    /// With a permission while in use, a monitor that delivers to its client hears nothing while the client is in the
    /// background.
    private func mayHear(_ leases: [Lease]) -> Bool {
        guard monitors.contains(where: { $0.action == .start }) else { return true }
        let presence = presence
        return leases.allSatisfy { $0.allowsListening(in: presence) }
    }

    private func described(_ leases: [Lease]) -> SessionDescription {
        SessionDescription(identifier: identifier, requester: requester, leases: leases, device: parts.device)
    }

    private func begin(_ leases: [Lease]) async throws {
        try await parts.runner.ledger.record(.sessionStarted(described(leases)), changing: nil)
    }

    private func recordEnd(_ outcome: Outcome, _ leases: [Lease], _ frames: Int64) async {
        let reason =
            switch outcome {
            case .triggered: "triggered"
            case .ended(let reason): reason
            case .failed: DictationEnding.failed.rawValue
            }
        // If the log cannot be written, it refuses the next session.
        _ = try? await parts.runner.ledger.record(
            .sessionStopped(described(leases), SessionOutcome(reason: reason, frames: frames)), changing: nil)
    }
}
