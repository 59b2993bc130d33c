import SocketAPI
import Speech
import VoiceGateClient

/// Follows an enrolment to its end.
struct EnrollRun: Sendable {
    let client: VoiceGateClient
    let output: Output

    func follow(_ events: EventStream<EnrolmentEvent>) async throws {
        var total = 0
        for try await event in events {
            if output.isJSON { try output.json(event) }
            switch event {
            case .started(_, let sentences): total = sentences
            case .sentence(let number, let text): output.note(EnrollText.sentence(number, total, text))
            case .heard(_, let text, let outcome): output.note(EnrollText.heard(text, outcome))
            case .learning(let share): output.live(EnrollText.learning(share))
            case .learnt(let profile, let isKept, let unused):
                output.clearLive()
                if !unused.isEmpty { output.note(EnrollText.unused(unused)) }
                if !output.isJSON { try output.line(EnrollText.line(profile)) }
                output.note(isKept ? EnrollText.kept : EnrollText.refused)
            case .ended(let ending, let message):
                output.clearLive()
                if let message { output.warn(message) }
                let status = ExitStatus(ending)
                if status != .success { throw CommandError.alreadyTold(status) }
                return
            }
        }
        throw ClientError.disconnected
    }
}
