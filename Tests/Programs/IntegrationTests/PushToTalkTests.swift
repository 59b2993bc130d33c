import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate dictate --push-to-talk", .timeLimit(.minutes(3)))
struct PushToTalkTests {
    let service: ServiceUnderTest

    init() async throws {
        var endless = VirtualMicrophone(name: "endless", file: Programs.librivox("0870"))
        endless.loops = true
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([endless]), answers: ServiceUnderTest.yesToAll)
    }

    private func wait(for word: String) async throws {
        try await eventually { try await service.run(["control", "status"]).output == [word] }
    }

    @Test("where the terminal reports key releases, it listens while the space bar is held")
    func held() async throws {
        let dictation = try service.atTerminal(["dictate", "--push-to-talk"])
        // This test is the terminal, and knows kitty's protocol.
        try await dictation.shows("\u{1B}[?u")
        try dictation.type("\u{1B}[?0u")
        try await dictation.shows("\u{1B}[>11u")
        try await wait(for: "suspended")
        try dictation.type("\u{1B}[32;1:1u")
        try await wait(for: "listening")
        try await dictation.shows("john")
        try dictation.type("\u{1B}[32;1:3u")
        try await wait(for: "suspended")
        try dictation.type("\u{1B}[13;1:1u")
        #expect(await dictation.end() == 0, "\(dictation.lines)")
        // The terminal is given back.
        #expect(dictation.count(of: "\u{1B}[<u") == 1)
    }

    @Test("elsewhere the space bar begins and ends listening, and nothing is heard before")
    func struck() async throws {
        let dictation = try service.atTerminal(["dictate", "--push-to-talk"])
        try await wait(for: "suspended")
        #expect(dictation.count(of: "john") == 0)
        try dictation.type(" ")
        try await dictation.shows("john")
        try dictation.type(" ")
        try await wait(for: "suspended")
        try dictation.type("q")
        #expect(await dictation.end() == 0, "\(dictation.lines)")
        #expect(dictation.count(of: "\u{1B}[>11u") == 0 && dictation.count(of: "\u{1B}[<u") == 0)
        #expect(dictation.lines.contains { $0.contains("john") }, "\(dictation.lines)")
    }

    @Test("without a terminal it is refused before anything is asked")
    func noTerminal() async throws {
        let (status, _, errors) = try await service.run(["dictate", "--push-to-talk"])
        #expect(status == 64)
        #expect(errors.contains("control begin"), "\(errors)")
    }
}
