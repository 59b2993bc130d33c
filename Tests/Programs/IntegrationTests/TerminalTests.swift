import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("At a terminal", .timeLimit(.minutes(3)))
struct TerminalTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    var opened: String { folder.path + "/opened" }

    init() async throws {
        folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.openedFile = folder.path + "/opened"
        service = try await ServiceUnderTest(VirtualMicrophoneConfiguration([microphone]))
    }

    @Test("two prompts, each with the four data items, then live and final text")
    func dictates() async throws {
        let dictation = try service.atTerminal(["dictate", "--stop-after-silence", "1"])
        try await dictation.shows("speech recognition")
        try await answer(dictation, "w", until: "the microphone")
        #expect(VirtualMicrophoneLog(opened).entries.isEmpty)
        try await answer(dictation, "w", until: "Listening")
        #expect(await dictation.end() == 0)
        let screen = dictation.lines.joined(separator: "\n")
        for word in ["Collected", "Purpose", "Kept", "Shared"] { #expect(screen.contains(word)) }
        #expect(screen.contains("go forward ten meters"))
        let records = try await service.records()
        #expect(
            records.map(\.kind) == [
                "log.genesis", "key.rotated", "decision.asked", "notice.shown", "decision.granted", "decision.asked",
                "notice.shown", "decision.granted", "session.started", "session.stopped",
            ])
        #expect(records.first { $0.kind == "decision.granted" }?.text("indication") == "terminal")
    }

    @Test("don't allow at the first prompt: exit code 77, the command that changes it, and the device was not opened")
    func refuses() async throws {
        let dictation = try service.atTerminal(["dictate"])
        try await dictation.shows("speech recognition")
        try await answer(dictation, "d", until: "voicegate settings")
        #expect(await dictation.end() == 77)
        #expect(VirtualMicrophoneLog(opened).entries.isEmpty)
        let again = try await service.run(["dictate"])
        #expect(again.status == 77)
        #expect(again.errors.contains("voicegate settings"))
        #expect(VirtualMicrophoneLog(opened).entries.isEmpty)
    }

    @Test("later asks again the next time and stores nothing")
    func later() async throws {
        let dictation = try service.atTerminal(["dictate"])
        try await dictation.shows("speech recognition")
        try await answer(dictation, "l", until: "has not been allowed")
        #expect(await dictation.end() == 77)
        #expect(
            try await !service.records().contains { $0.kind.hasPrefix("decision.g") || $0.kind == "decision.denied" })
        let again = try service.atTerminal(["dictate"])
        try await again.shows("speech recognition")
        again.signal(SIGKILL)
    }

    @Test("without a terminal no prompt is shown, and the refusal says what to do")
    func noTerminal() async throws {
        let dictation = try await service.run(["dictate"])
        #expect(dictation.status == 77)
        #expect(dictation.errors.contains("voicegate settings"))
        #expect(dictation.output.isEmpty)
        #expect(VirtualMicrophoneLog(opened).entries.isEmpty)
    }

    /// Answers the prompt that is shown, and waits for what comes after it.
    private func answer(_ program: RunningProgram, _ key: String, until text: String) async throws {
        let outcomes = ["w": "Allowed while using.", "d": "Not allowed.", "l": "Not allowed now"]
        try await program.press(key, until: try #require(outcomes[key]))
        try await program.shows(text)
    }
}
