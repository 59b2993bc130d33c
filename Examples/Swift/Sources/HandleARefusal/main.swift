// Distinguishes a refusal from an unavailable service.

import SocketAPI
import VoiceGateClient

do {
    for try await received in try await VoiceGateClient().dictate(DictationRequest(ask: false)) {
        if case .final(let utterance) = received.event { print(utterance.text) }
    }
} catch let error as ClientError where error.code == .refused {
    // Codes are stable; messages are in the user's language.
    switch error.reply?.error.code {
    case "notDetermined": print("Ask first: \(error.message)")
    case "denied", "restricted", "muted": print("Not allowed: \(error.message)")
    default: print(error.message)
    }
} catch let error as ClientError {
    print("The service is not available (\(error.code.rawValue)): \(error.message)")
}
