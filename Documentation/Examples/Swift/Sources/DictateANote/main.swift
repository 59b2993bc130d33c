// Prints what the user says, until two seconds of silence.

import Foundation
import VoiceGateClient

let request = DictationRequest(
    stopAfterSilence: 2, contextPhrases: ["Kelmscott Press"])

do {
    for try await received in try await VoiceGateService().dictate(request) {
        switch received.event {
        case .started(_, let device, _):
            print("Listening on \(device ?? "a file").")
        case .partial(let sofar):
            // `sofar.stableText` does not change any more.
            print("… \(sofar.text)")
        case .final(let utterance):
            print(utterance.text)
        case .paused(let reason):
            print("Not listening: \(reason)")
        case .ended(.silence, _):
            print("Ended after two seconds of silence.")
        case .ended(let ending, let message):
            print(message ?? "Ended: \(ending)")
            exit(1)
        default:
            break
        }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
