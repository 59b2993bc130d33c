import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("The pager", .timeLimit(.minutes(1)))
struct PagerTests {
    @Test("is $VOICEGATE_PAGER, else $PAGER, else less; none if they are empty or cat, and none at a dumb terminal")
    func command() throws {
        let folder = try TemporaryFolder()
        func command(_ environment: [String: String]) -> String? {
            Pager.command(environment.merging(["TERM": "xterm", "PATH": folder.path]) { given, _ in given })
        }
        #expect(command([:]) == nil)
        try folder.write("#!/bin/sh\n", to: "less", permissions: 0o755)
        #expect(command([:]) == "less")
        #expect(command(["PAGER": "more"]) == nil, "not installed")
        try folder.write("#!/bin/sh\n", to: "more", permissions: 0o755)
        #expect(command(["PAGER": "more"]) == "more")
        #expect(command(["PAGER": "more", "VOICEGATE_PAGER": "less -S"]) == "less -S")
        #expect(command(["PAGER": "more", "VOICEGATE_PAGER": ""]) == nil)
        #expect(command(["PAGER": "cat"]) == nil)
        #expect(command(["PAGER": "more", "TERM": "dumb"]) == nil)
        for caller in ["SUDO_UID", "PKEXEC_UID", "DOAS_USER"] {
            #expect(command(["PAGER": "more", caller: "1000"]) == "less", "not what the user of sudo chooses")
        }
    }

    private func output(_ terminal: PseudoTerminal, _ pager: String) throws -> Output {
        let environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "PAGER": pager]
        return Output(
            isQuiet: false, isJSON: false, results: terminal.terminal, messages: terminal.terminal,
            pager: try #require(Pager(environment: environment)), environment: environment)
    }

    @Test("gets results and messages, with less's options unless the user has some, and is waited for")
    func text() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/paged"
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let output = try output(terminal, "echo $LESS >'\(file)'; cat >>'\(file)'")
        try await output.reportingErrors {
            try output.line("one")
            output.note("and more")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "FRX\none\nand more\n")
    }

    @Test("leaving the pager ends the command quietly; the pager is started only if needed")
    func left() async throws {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let left = try output(terminal, "exit 0")
        await #expect(throws: ExitCode.success) {
            // More than the pipe holds.
            try await left.reportingErrors { while true { try left.line(String(repeating: "-", count: 65_536)) } }
        }
        // The earlier finding is still the exit code.
        let failed = try output(terminal, "exit 0")
        await #expect(throws: ExitCode(65)) {
            try await failed.reportingErrors {
                let lines = [String](repeating: String(repeating: "-", count: 65_536), count: 100)
                try failed.result(lines, lines, ending: .badData)
            }
        }
        let unused = try output(terminal, "touch '\(folder.path)/started'")
        try await unused.reportingErrors {}
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
    }
}
