import Authorization
import Foundation
import TestSupport
import Testing

/// The tables of `Interpreter` against the interpreters themselves.
@Suite("Command lines of real interpreters", .timeLimit(.minutes(3)))
struct InterpreterShapesTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let program: String
        let ending: String
        let prints: @Sendable (String) -> String
        /// Words before all others.
        var begins: [String] = []
        var testDescription: String { program }
    }

    private static let shell = { @Sendable (text: String) in "echo \(text)" }
    private static let call = { @Sendable (text: String) in "print('\(text)')" }
    static let languages = [
        Language(program: "dash", ending: "sh", prints: shell), Language(program: "bash", ending: "sh", prints: shell),
        Language(program: "zsh", ending: "sh", prints: shell),
        Language(program: "zsh", ending: "sh", prints: shell, begins: ["-f"]),
        Language(program: "python3", ending: "py", prints: call),
        Language(program: "perl", ending: "pl") { "print \"\($0)\\n\";" },
        Language(program: "ruby", ending: "rb") { "puts '\($0)'" },
        Language(program: "lua5.4", ending: "lua", prints: call),
        Language(program: "node", ending: "js") { "console.log('\($0)')" },
        Language(program: "gawk", ending: "awk") { "BEGIN { print \"\($0)\" }" },
        Language(program: "mawk", ending: "awk") { "BEGIN { print \"\($0)\" }" },
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command line in a folder with the script `ok` and with files that print `evil`: the user's, a module, and
    /// standard input.
    private func output(_ language: Language, _ words: [String]) throws -> [String] {
        for name in [".profile", ".bash_profile", ".bashrc", ".zshenv", ".zshrc", ".zprofile", ".zlogin"] {
            try folder.write("echo evil\n", to: name)
        }
        let evil = language.prints("evil") + "\n"
        try folder.write(language.prints("ok") + "\n", to: "ok." + language.ending)
        try folder.write(evil, to: "evil." + language.ending)
        try folder.write(evil + "1;\n", to: "evil.pm")
        // Without a terminal, which an interactive shell would use.
        let child = try ChildProcess(
            [
                "/usr/bin/setsid", "/usr/bin/env", "-i", "-C", folder.path, "HOME=" + folder.path, "PATH=/usr/bin:/bin",
                "LUA_PATH=./?.lua", "PERL5LIB=.", "/bin/sh", "-c", #"exec "$0" "$@" < evil."# + language.ending,
                "/usr/bin/" + language.program,
            ] + words)
        var lines: [String] = []
        while case let line = child.readLine(), !line.isEmpty { lines.append(line) }
        child.waitForEnd()
        return lines
    }

    private func code(_ language: Language, _ words: [String]) throws -> Interpreter.Code {
        let program = "/usr/bin/" + language.program
        return try #require(Interpreter(program: program)).code(in: [program] + words)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    @Test("each that is understood runs the script and nothing else", arguments: languages)
    func understood(_ language: Language) throws {
        guard Self.isInstalled(language.program) else { return }
        let script = "./ok." + language.ending
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".map { "-\($0)" }
        let long = [
            "--", "-", "--norc", "--noprofile", "--posix", "--login", "--verbose", "--restricted", "-W0", "-W1", "-W2",
        ]
        let settings = ["errexit", "pipefail", "posix", "nounset", "verbose", "history", "emacs"].map { ["-o", $0] }
        let options = [[]] + (letters + long).map { [$0] } + settings + letters.map { [$0, "--"] }
        var shapes = options.map { language.begins + $0 + [script] }
        shapes +=
            options.map { language.begins + $0 + ["-f", script] } + [
                ["-f", script, "data"], ["-f", script, "--", "-f"],
            ]
        let understood = try shapes.filter { try code(language, $0) == .file(script) }
        #expect(!understood.isEmpty)
        for words in understood {
            let lines = try output(language, words)
            // dash 0.5.12 has no pipefail, and ends.
            if language.program == "dash", words.contains("pipefail") || words.contains("posix"), lines.isEmpty {
                continue
            }
            #expect(lines == ["ok"], "\(words)")
        }
    }

    @Test(
        "code that runs besides the script, or in its place, is not taken for it",
        arguments: [
            ("dash", "-l ok.sh"), ("dash", "-s ok.sh"), ("bash", "-i ok.sh"), ("bash", "-l ok.sh"),
            ("bash", "-xi ok.sh"),
            ("bash", "--rcfile evil.sh -i ok.sh"), ("bash", "--login ok.sh"), ("bash", "-s ok.sh"), ("zsh", "ok.sh"),
            ("zsh", "-i ok.sh"), ("zsh", "-f -s ok.sh"), ("python3", "-i ok.py"), ("python3", "-Bi ok.py"),
            ("python3", "- ok.py"), ("python3", "-- - ok.py"), ("python3", "-W ok.py"), ("python3", "-m evil ok.py"),
            ("perl", "-d ok.pl"), ("perl", "-I ok.pl"), ("perl", "- ok.pl"), ("perl", "-- - ok.pl"),
            ("perl", "-Mevil ok.pl"), ("ruby", "-I ok.rb"), ("ruby", "- ok.rb"), ("ruby", "-r./evil ok.rb"),
            ("lua5.4", "- ok.lua"), ("lua5.4", "-l evil ok.lua"), ("lua5.4", "-i ok.lua"), ("node", "- ok.js"),
            ("node", "-C ok.js"), ("node", "-r ./evil.js ok.js"), ("gawk", "-f ./ok.awk -f ./evil.awk"),
            ("mawk", "-f ./ok.awk -f ./evil.awk"), ("gawk", "-f ./ok.awk -i ./evil.awk"), ("gawk", "-f -"),
            ("mawk", "-f -"),
        ])
    func besides(program: String, line: String) throws {
        guard Self.isInstalled(program) else { return }
        let language = try #require(Self.languages.first { $0.program == program })
        let words = line.split(separator: " ").map(String.init)
        if case .file(let name) = try code(language, words) { Issue.record("taken for \(name)") }
        // This makes it dangerous.
        #expect(try output(language, words).contains { $0.contains("evil") }, "\(words)")
    }
}
