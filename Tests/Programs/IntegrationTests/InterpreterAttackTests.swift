import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Real interpreters whose command lines name an allowed script and run other code, too. They run `voicegate status`,
/// whose answer is the client that the service takes them for.
@Suite("Interpreters that run more than their script", .timeLimit(.minutes(3)))
struct InterpreterAttackTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let program: String
        let ending: String
        /// Code that runs a command of a shell.
        let runs: @Sendable (String) -> String
        /// The words before the script.
        var words: [String] = []
        /// Command lines with `SCRIPT`, `EVIL` for other code, and evil code on standard input.
        let attacks: [String]
        var testDescription: String { program }
    }

    private static let shell = { @Sendable (command: String) in command + "\n" }
    static let languages = [
        Language(
            program: "dash", ending: "sh", runs: shell, attacks: ["-l SCRIPT", "-s SCRIPT"]),
        Language(
            program: "bash", ending: "sh", runs: shell,
            attacks: [
                "-i SCRIPT", "-xi SCRIPT", "-l SCRIPT", "-s SCRIPT", "--rcfile EVIL -i SCRIPT", "--login -- SCRIPT",
            ]),
        Language(
            program: "zsh", ending: "sh", runs: shell, words: ["-f"], attacks: ["SCRIPT", "-f -s SCRIPT", "-i SCRIPT"]),
        Language(
            program: "python3", ending: "py", runs: { "import os\nos.system('exec \($0)')\n" },
            attacks: ["-i SCRIPT", "-Bi SCRIPT", "- SCRIPT", "-- - SCRIPT", "-c exec(open('EVIL').read()) SCRIPT"]),
        Language(
            program: "perl", ending: "pl", runs: { "system('\($0)');\n" },
            attacks: ["- SCRIPT", "-- - SCRIPT", "-e do('EVIL') SCRIPT", "-I SCRIPT"]),
        Language(
            program: "ruby", ending: "rb", runs: { "system('\($0)')\n" },
            attacks: ["- SCRIPT", "-r EVIL SCRIPT", "-e load('EVIL') SCRIPT"]),
        Language(
            program: "lua5.4", ending: "lua", runs: { "os.execute('exec \($0)')\n" },
            attacks: ["- SCRIPT", "-e dofile('EVIL') SCRIPT"]),
        Language(
            program: "node", ending: "js",
            runs: { "require('child_process').spawnSync('exec \($0)',{shell:'/bin/dash',stdio:'inherit'})\n" },
            attacks: ["- SCRIPT", "-r EVIL SCRIPT", "-C SCRIPT"]),
        Language(
            program: "gawk", ending: "awk", runs: { "BEGIN { system(\"exec \($0)\") }\n" }, words: ["-f"],
            attacks: ["-f SCRIPT -f EVIL", "-f EVIL -f SCRIPT", "-f - SCRIPT", "-f SCRIPT -i EVIL"]),
        Language(
            program: "mawk", ending: "awk", runs: { "BEGIN { system(\"exec \($0)\") }\n" }, words: ["-f"],
            attacks: ["-f SCRIPT -f EVIL", "-f EVIL -f SCRIPT", "-f - SCRIPT"]),
    ].filter { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0.program) }

    @Test("each is refused as the client of that script, which alone is the client")
    func attacks() async throws {
        let service = try await ServiceUnderTest()
        let home = service.folder.path
        let command = "\(Programs.commandLine) status --json --socket \(service.socket)"
        for name in [".profile", ".bash_profile", ".bashrc", ".zshenv", ".zshrc"] {
            try service.folder.write("echo evil; \(command)\n", to: name)
        }
        for language in Self.languages {
            let script = try service.folder.write(
                language.runs(command), to: "ok-\(language.program)." + language.ending)
            // `echo` runs in the same shell command, before the command becomes the shell's process.
            let evilCode = language.runs(
                language.ending == "sh" ? "echo evil; \(command)" : "\(home)/evil")
            try service.folder.write("#!/bin/dash\necho evil\nexec \(command)\n", to: "evil", permissions: 0o755)
            let evil = try service.folder.write(evilCode, to: "evil." + language.ending)
            let client = "org.example." + language.program.filter { $0 != "." }
            try service.folder.write(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                <key>CFBundleIdentifier</key><string>\(client)</string>
                <key>CFBundleExecutable</key><string>/usr/bin/\(language.program)</string>
                <key>VoiceGateScript</key><string>\(script)</string>
                <key>NSSpeechRecognitionUsageDescription</key><string>To test.</string>
                </dict></plist>
                """, to: "clients/\(language.program)/Info.plist")
            let allowed = try await run(language, language.words + [script], "", service)
            #expect(allowed.contains("\"client\":\"\(client)\""), "\(language.program): \(allowed)")
            for attack in language.attacks {
                let words = attack.split(separator: " ").map {
                    $0.replacingOccurrences(of: "SCRIPT", with: script).replacingOccurrences(of: "EVIL", with: evil)
                }
                let output = try await run(language, words, evilCode, service)
                #expect(output.contains("evil"), "\(language.program) \(attack) ran no other code: \(output)")
                #expect(output.contains("\"client\":\""), "\(language.program) \(attack): \(output)")
                #expect(!output.contains("\"client\":\"\(client)\""), "\(language.program) \(attack): \(output)")
            }
        }
    }

    /// Behind a shell that leads the session, because a shell that leads one counts as the user's.
    private func run(
        _ language: Language, _ words: [String], _ input: String, _ service: ServiceUnderTest
    ) async throws -> String {
        let program = try RunningProgram(
            ["/bin/sh", "-c", #""$0" "$@"; exit $?"#, "/usr/bin/" + language.program] + words,
            environment: service.environment)
        try program.type(input)
        try program.closeInput()
        await program.end()
        return program.lines.joined(separator: "\n") + program.errorText
    }
}
