// Distinguishes the reasons of a refusal, and a refusal from an unavailable service.

import Foundation
import VoiceGateClient

do {
    for try await received in try await VoiceGateService().dictate(DictationRequest(ask: false)) {
        if case .final(let utterance) = received.event { print(utterance.text) }
    }
} catch let error as ClientError {
    // Reasons are stable; messages are in the user's language.
    switch error.refusal?.reason {
    case nil: print("The service is not available (\(error.code)): \(error)")
    case .notDetermined?, .identityChanged?, .termsWidened?: print("Ask first: \(error)")
    case .denied?, .restricted?, .muted?: print("Not allowed: \(error)")
    case .missingManifest?, .missingUsageDescription?: print("Not installed completely: \(error)")
    case .busy?, .unavailable?, .tooManyRequests?: print("Not now: \(error)")
    default: print(error)
    }
    if let command = error.refusal?.command { print("To change it: \(command)") }
    exit(1)
}
