import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Commands that erase", .timeLimit(.minutes(3)))
struct ErasureQuestionTests {
    private static let client = "org.example.curl"
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["transcript": "P30D"])
    }

    private func dictate() async throws {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        #expect(try await service.history().count == 1)
    }

    @Test("at a terminal they say what would be erased and ask; a denial, and the end of the input, erase nothing")
    func asked() async throws {
        try await dictate()
        let item = try #require(try await service.history().first?["item"] as? String)
        let commands = [
            (["history", "erase", "--all"], "org.example.curl: 1 transcript"),
            (["reset", "--client", Self.client], "org.example.curl: 1 transcript"),
            (["manifest", "remove", Self.client], "what is kept for it: 1 transcript"),
        ]
        for (arguments, shown) in commands {
            let command = try service.atTerminal(arguments)
            try await command.shows("[y/N]")
            #expect(command.count(of: shown) == 1, "\(arguments): \(command.lines)")
            try command.type(arguments[0] == "reset" ? "\u{4}" : "n\n")
            #expect(await command.end() == 0)
            #expect(command.count(of: "Nothing was erased.") == 1, "\(arguments): \(command.lines)")
        }
        #expect(try await service.history().count == 1)
        let table = try await service.run(["settings", "--client", Self.client]).output
        #expect(table.contains { $0.contains("allowed") }, "\(table)")

        let agreed = try service.atTerminal(["history", "erase", item])
        try await agreed.shows("until")
        try await agreed.shows("[y/N]")
        try agreed.type("y\n")
        #expect(await agreed.end() == 0)
        #expect(agreed.count(of: "Erased: 1 item.") == 1, "\(agreed.lines)")
        #expect(try await service.history().isEmpty)
        // Nothing is kept, so there is nothing to ask.
        let nothing = try service.atTerminal(["reset", "--client", Self.client])
        #expect(await nothing.end() == 0)
        #expect(nothing.count(of: "[y/N]") == 0, "\(nothing.lines)")
    }

    @Test("--yes, and a command without a terminal, are not asked; a denial takes effect at once and says what went")
    func notAsked() async throws {
        try await dictate()
        let denied = try service.atTerminal(["settings", Self.client, "--deny", "microphone"])
        #expect(await denied.end() == 0)
        #expect(denied.count(of: "Erased with the permission: 1 transcript.") == 1, "\(denied.lines)")
        #expect(denied.count(of: "[y/N]") == 0)
        #expect(try await service.history().isEmpty)
        let reset = try await service.run(["reset", "--client", Self.client, "--json"])
        #expect(reset.status == 0 && reset.errors.isEmpty, "\(reset)")
        #expect(reset.output == [#"{"client":"org.example.curl","resources":["speechRecognition","microphone"]}"#])
        let removed = try service.atTerminal(["manifest", "remove", Self.client, "--yes", "--json"])
        #expect(await removed.end() == 0)
        #expect(removed.count(of: #"{"client":"org.example.curl"}"#) == 1)
    }

    @Test(
        "if the question cannot be shown to the user who types it, because standard error is redirected, nothing is erased"
    )
    func unseen() async throws {
        try await dictate()
        for command in ["history erase --all", "reset --client \(Self.client)", "audit erase --client \(Self.client)"] {
            let line = "'\(Programs.commandLine)' \(command) --socket '\(service.socket)' 2>/dev/null"
            let typed = try RunningProgram(
                ["/usr/bin/script", "-qefc", line, "/dev/null"], environment: service.environment)
            #expect(await typed.end() == 64, "\(command): \(typed.lines)")
        }
        #expect(try await service.history().count == 1)
    }

    @Test("a misspelt program is named with the one that was probably meant, and nothing of another is changed")
    func misspelt() async throws {
        for command in [["reset"], ["history"], ["history", "erase"], ["audit", "records"], ["settings", "--quiet"]] {
            let (status, output, errors) = try await service.run(command + ["--client", "org.exmaple.curl"])
            #expect(status == 0 && output.isEmpty, "\(command): \(output)")
            #expect(
                errors.contains("No program org.exmaple.curl is known. Did you mean “org.example.curl”?"), "\(errors)")
        }
        let removed = try await service.run(["manifest", "remove", "org.exmaple.curl"])
        #expect(removed.status == 66 && removed.errors.contains("“org.example.curl”"), "\(removed)")
        let known = try await service.run(["history", "--client", Self.client])
        #expect(!known.errors.contains("is known"), "\(known.errors)")
    }
}
