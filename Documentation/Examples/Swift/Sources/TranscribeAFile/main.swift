// Transcribes a sound file. Requires speech recognition, but no microphone.

import Foundation
import VoiceGateClient

let file = URL(filePath: CommandLine.arguments.dropFirst().first ?? "speech.wav")

do {
    for try await received in try await VoiceGateService().transcribe(contentsOf: file) {
        switch received.event {
        case .final(let utterance):
            print("\(utterance.start)–\(utterance.end) s: \(utterance.text)")
        case .ended(let ending, let message) where ending != .ended:
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
