import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A command that root runs for another user is that user's, as with sudo(8): own terminal, clean environment.
@Suite(
    "Commands by sudo -u",
    .enabled(
        if: geteuid() == 0 && access("/usr/bin/sudo", X_OK) == 0 && Programs.areForEveryone,
        "needs root, sudo, and a checkout that other users may enter"), .timeLimit(.minutes(2)))
struct SudoTests {
    private static let user = "nobody"
    private let service: ServiceUnderTest
    private let script: String

    init() async throws {
        service = try await ServiceUnderTest(options: ["--mode", "enforced"])
        for path in ["", "/run", "/run/voicegate"] { chmod(service.folder.path + path, 0o755) }
        chmod(service.socket, 0o666)
        script = try service.folder.write("#!/bin/sh\n\"$@\"\nexit $?\n", to: "note.sh", permissions: 0o755)
    }

    private func run(_ words: [String]) async throws -> (status: Int32, all: String) {
        let program = try RunningProgram(words, environment: service.environment)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines.joined(separator: "\n") + program.errorText)
    }

    private func sudo(_ arguments: [String]) -> [String] { ["/usr/bin/sudo", "-n", "-u", Self.user] + arguments }

    private func command(_ arguments: [String]) -> [String] {
        [Programs.commandLine] + arguments + ["--socket", service.socket]
    }

    @Test("voicegate is the user's own command, also behind a script of root's, and changes that user's settings alone")
    func ownCommand() async throws {
        for words in [sudo(command(["status", "--json"])), [script] + sudo(command(["status", "--json"]))] {
            let (status, text) = try await run(words)
            #expect(status == 0 && text.contains(#""client":"io.voicegate.cli""#), "\(words): \(text)")
        }
        let denied = try await run(sudo(command(["settings", "io.voicegate.cli", "--deny", "microphone"])))
        #expect(denied.status == 0 && denied.all.contains("denied"), "\(denied.all)")
        let others = try await run(command(["settings", "io.voicegate.cli", "--no-input"]))
        let rows = others.all.split(separator: "\n").filter { $0.hasPrefix("io.voicegate.cli ") }
        #expect(!rows.contains { $0.contains("denied") }, "\(others.all)")
    }

    @Test("a script that it starts is that user's program, and not the command line")
    func ownScript() async throws {
        let (status, text) = try await run(sudo([script] + command(["status", "--json"])))
        #expect(status == 0 && text.contains(#""name":"note.sh (via"#), "\(text)")
        let refused = try await run(
            sudo([script] + command(["settings", "io.voicegate.cli", "--allow", "microphone"])))
        #expect(refused.status == 77, "\(refused.all)")
    }
}
