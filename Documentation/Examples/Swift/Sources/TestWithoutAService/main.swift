// Tests a function that takes a note, with every status of the microphone, and without a service.

import VoiceGateClient

/// The function under test.
func note(from service: some SpeechService) async -> String {
    do {
        var text: [String] = []
        for try await received in try await service.dictate(DictationRequest(stopAfterSilence: 2)) {
            if case .final(let utterance) = received.event { text.append(utterance.text) }
        }
        return text.joined(separator: " ")
    } catch let error as ClientError {
        return "no note: \(error.refusal?.reason.rawValue ?? error.code.rawValue)"
    } catch {
        return "\(error)"
    }
}

for status in AuthorizationStatus.allCases {
    let service = SpeechServiceDouble([.speechRecognition: .authorized, .microphone: status])
    await service.say("buy milk")
    let result = await note(from: service)
    let asked = await service.asked
    print("\(status.rawValue): \(result)\(asked.isEmpty ? "" : ", asked")")
}

let denied = SpeechServiceDouble(answering: [.speechRecognition: .deny])
print("the user denies: \(await note(from: denied))")

let muted = SpeechServiceDouble()
await muted.fail(with: ClientError(Refusal(.muted, message: "The user muted every program.")))
print("muted: \(await note(from: muted))")

let stopped = SpeechServiceDouble()
await stopped.fail(with: ClientError(code: .notRunning, message: "There is no service."))
print("stopped: \(await note(from: stopped))")
