import Dictation
import Foundation
import Recognition
import Testing
import VoiceGateClient

@Suite("Notes, without a service")
struct NotesTests {
    @Test("a note is what the user says, and the user is asked once for each resource")
    func note() async throws {
        let service = SpeechServiceDouble()
        await service.say("buy milk", "and bread")
        #expect(try await Dictation.note(from: service) == "buy milk and bread")
        #expect(await service.asked == [.speechRecognition, .microphone])
    }

    @Test("a refusal is thrown with its reason, and nothing is heard")
    func refused() async throws {
        let service = SpeechServiceDouble(answering: [.microphone: .deny])
        await service.say("buy milk")
        let error = await #expect(throws: ClientError.self) { try await Dictation.note(from: service) }
        #expect(error?.refusal?.reason == .denied)
    }

    @Test("minutes need no microphone")
    func minutes() async throws {
        let service = SpeechServiceDouble([.microphone: .denied])
        await service.say("one", "two")
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "\(UUID()).wav")
        try Data([1]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await Recognition.minutes(of: file, from: service) == "one\ntwo")
        #expect(await service.asked == [.speechRecognition])
    }
}
