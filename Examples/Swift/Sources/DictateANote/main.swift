// Writes down what the person says, until two seconds of silence.

import SocketAPI
import VoiceGateClient

let client = VoiceGateClient()
let request = DictationRequest(
    stopAfterSilence: 2, contextPhrases: ["Kelmscott Press"])

for try await told in try await client.dictate(request) {
    switch told.event {
    case .started(_, let device, _):
        print("Listening on \(device ?? "a file").")
    case .partial(let sofar):
        // What is stable of it stays as it is.
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
