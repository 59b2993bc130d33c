import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A user's own scripts", .timeLimit(.minutes(5)))
struct OwnScriptTests {
    let service: ServiceUnderTest
    let script: String
    private static let denied = "#!/bin/sh\n# Denied.\n\"$@\"\nexit $?\n"

    init() async throws {
        service = try await ServiceUnderTest(answers: [
            #"{"client":"\#(UnregisteredProgram.identifier(of: Self.denied))","resource":"*","answer":"deny"}"#
        ])
        script = try service.folder.write("#!/bin/sh\n\"$@\"\nexit $?\n", to: "note.sh", permissions: 0o755)
    }

    private func run(_ words: [String]) async throws -> (status: Int32, all: String) {
        let program = try RunningProgram(words + ["--socket", service.socket], environment: service.environment)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines.joined(separator: "\n") + program.errorText)
    }

    /// A command that a message suggests, as it is printed.
    private func suggested(_ message: String, _ more: [String] = []) async throws -> (status: Int32, all: String) {
        let command = try #require(message.firstMatch(of: /: voicegate (.*)/), "\(message)").1
        return try await run([Programs.commandLine] + command.split(separator: " ").map(String.init) + more)
    }

    private func transcribe() async throws -> (status: Int32, all: String) {
        try await run([script, Programs.commandLine, "transcribe", Programs.librivox("0930")])
    }

    @Test("a refused script is allowed for good by the command that the refusal prints, until it is edited")
    func allowed() async throws {
        let refused = try await transcribe()
        #expect(refused.status == 77 && refused.all.contains("voicegate allow \(script)"), "\(refused.all)")
        let unconfirmed = try await suggested(refused.all)
        #expect(unconfirmed.status == 64 && unconfirmed.all.contains("--yes"), "\(unconfirmed.all)")
        #expect(try await transcribe().status == 77)
        let allowed = try await suggested(refused.all, ["--yes", "--for", "files"])
        #expect(allowed.status == 0 && allowed.all.contains("Turns the recordings"), "\(allowed.all)")
        for _ in 1...2 {
            let text = try await transcribe()
            #expect(text.status == 0 && text.all.contains("might even have been"), "\(text.all)")
        }
        // In another program it is still the client.
        let made = try await run(
            ["/usr/bin/python3", "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", script]
                + [Programs.commandLine, "status", "--json"])
        #expect(made.all.contains(#""client":"local.note.sh""#), "\(made.all)")

        try service.folder.write("#!/bin/sh\n# Edited.\n\"$@\"\nexit $?\n", to: "note.sh", permissions: 0o755)
        let changed = try await transcribe()
        #expect(changed.status == 77, "\(changed.all)")
        let again = try await suggested(changed.all)
        #expect(again.status == 0, "\(again.all)")
        #expect(try await transcribe().status == 0)
        // Its size is kept, and its text is not.
        try service.folder.write("#!/bin/sh\nexec \"$@\"\n", to: "note.sh", permissions: 0o755)
        let shorter = try await run([Programs.commandLine, "allow", script, "--yes"])
        #expect(shorter.all.contains("It has changed since you allowed it: it is 13 bytes smaller."), "\(shorter.all)")
        #expect(try await !service.records().contains { "\($0.fields)".contains("Edited") })
        // The microphone was not allowed, and is still refused.
        #expect(try await run([script, Programs.commandLine, "request", "microphone"]).status == 77)
    }

    @Test("a script that is replaced between the question and the answer is not allowed, and nothing of it remains")
    func replaced() async throws {
        let command = "\(Programs.commandLine) allow \(script) --socket \(service.socket)"
        for (number, isReplaced) in [true, false].enumerated() {
            let asking = try RunningProgram(
                ["/usr/bin/script", "-qefc", command, "/dev/null"], environment: service.environment)
            try await asking.shows("[y/N]")
            if isReplaced {
                try service.folder.write("#!/bin/sh\n# Another.\n\"$@\"\nexit $?\n", to: "note.sh", permissions: 0o755)
            }
            try asking.type("y\n")
            let status = await asking.end()
            let shown = asking.lines.joined(separator: "\n")
            #expect(status == (isReplaced ? 75 : 0), "\(shown)")
            #expect(shown.contains("changed since you read about it, so nothing was allowed") == isReplaced, "\(shown)")
            #expect(shown.contains("SHA-256 of \(script): "), "\(shown)")
            let records = try await service.records()
            #expect(records.count { $0.kind == "decision.granted" } == (isReplaced ? 0 : 2), "round \(number)")
            let settings = try await run([Programs.commandLine, "settings", "--json"])
            #expect(settings.all.contains("local.note.sh") == !isReplaced, "\(settings.all)")
        }
    }

    @Test("after a denial the command that the refusal prints works: the script is asked about again")
    func denied() async throws {
        let other = try service.folder.write(Self.denied, to: "denied.sh", permissions: 0o755)
        let command = [other, Programs.commandLine, "transcribe", Programs.librivox("0930")]
        for _ in 1...2 {
            let refused = try await run(command)
            #expect(refused.status == 77 && refused.all.contains("You did not allow denied.sh"), "\(refused.all)")
        }
        #expect(try await asked() == 1, "a denial is remembered")
        let copy = try service.folder.write(Self.denied, to: "copy.sh", permissions: 0o755)
        let copied = try await run([copy, Programs.commandLine, "transcribe", Programs.librivox("0930")])
        #expect(copied.status == 77 && copied.all.contains("You did not allow copy.sh"), "\(copied.all)")
        #expect(try await asked() == 1, "also for a copy with another name")
        let settings = try await run([Programs.commandLine, "settings", "--json"])
        #expect(settings.all.contains(#""name":"denied.sh""#), "\(settings.all)")
        let again = try await suggested(try await run(command).all)
        #expect(again.status == 0, "\(again.all)")
        #expect(try await run(command).status == 77)
        #expect(try await asked() == 2)
    }

    @Test(
        "a denial and Ctrl-C at the question leave no manifest behind", arguments: [("n\n", Int32(0)), ("\u{3}", 130)])
    func refused(_ keys: String, _ status: Int32) async throws {
        let allow = try service.atTerminal(["allow", script])
        try await allow.shows("[y/N]")
        #expect(FileManager.default.fileExists(atPath: service.clientsDirectory + "/local.note.sh"))
        try allow.type(keys)
        #expect(await allow.end() == status)
        #expect(!FileManager.default.fileExists(atPath: service.clientsDirectory + "/local.note.sh"))
        #expect(try await service.records().allSatisfy { !$0.kind.hasPrefix("decision.g") })
    }

    private func asked() async throws -> Int {
        try await service.records().count { $0.kind == "notice.shown" }
    }

    @Test("another script, an interpreter and a program that runs others' code get nothing of it")
    func others() async throws {
        #expect(try await run([Programs.commandLine, "allow", script, "--yes"]).status == 0)
        let other = try service.folder.write("#!/bin/sh\n\"$@\"\nexit $?\n", to: "other.sh", permissions: 0o755)
        let refused = try await run([other, Programs.commandLine, "transcribe", Programs.librivox("0930")])
        #expect(refused.status == 77, "\(refused.all)")
        let debuggers = ["/usr/bin/gdb", "/usr/bin/strace", "/usr/bin/emacs"].filter {
            FileManager.default.fileExists(atPath: $0)
        }
        for program in ["/bin/sh", "/usr/bin/make", "/usr/bin/xargs"] + debuggers {
            let (status, output) = try await run([Programs.commandLine, "allow", program, "--yes"])
            #expect(status == 65 && output.contains("runs code that cannot be identified"), "\(output)")
        }
        // A script does not allow itself, nor a different script.
        for path in [script, other] {
            let (status, output) = try await run([script, Programs.commandLine, "allow", path, "--yes"])
            #expect(status == 77, "\(output)")
        }
    }
}
