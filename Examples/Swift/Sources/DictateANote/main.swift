// Prints what the user says, until two seconds of silence.

import SocketAPI
import VoiceGateClient

let client = VoiceGateClient()
let request = DictationRequest(
    stopAfterSilence: 2, contextPhrases: ["Kelmscott Press"])

for try await received in try await client.dictate(request) {
    switch received.event {
    case .started(_, let device, _):
        print("Listening on \(device ?? "a file").")
    case .partial(let sofar):
        // The stable part does not change.
        print("… \(sofar.text)")
    case .final(let utterance):
        print(utterance.text)
    case .paused(let reason):
        print("Not listening: \(reason.rawValue)")
    case .ended(let ending, let message):
        print(message ?? "Ended: \(ending.rawValue)")
    default:
        break
    }
}
