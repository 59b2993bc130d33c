// Tells a refusal of the person's from a service that is not there.

import SocketAPI
import VoiceGateClient

do {
    for try await told in try await VoiceGateClient().dictate(DictationRequest(ask: false)) {
        if case .final(let utterance) = told.event { print(utterance.text) }
    }
} catch let error as ClientError where error.code == .refused {
    // Codes never change; messages are for people and come in their language.
    switch error.reply?.error.code {
    case "notDetermined": print("Ask first: \(error.message)")
    case "denied", "restricted", "muted": print("Not allowed: \(error.message)")
    default: print(error.message)
    }
} catch let error as ClientError {
    print("The service cannot be used (\(error.code.rawValue)): \(error.message)")
}
