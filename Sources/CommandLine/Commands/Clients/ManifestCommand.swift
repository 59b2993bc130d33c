import ArgumentParser
import Authorization
import Foundation
import LinuxSystem
import ManifestLint

struct ManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Check, show and install the Info.plist by which a program asks you.",
        discussion: """
            A manifest is an Info.plist with Apple's keys and VoiceGate's own; Documentation/Manifest.md lists them. \
            Nothing here needs the service.
            """,
        subcommands: [ManifestLintCommand.self, ManifestShowCommand.self, ManifestInstallCommand.self])
}

struct ManifestLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Look at manifests with the eyes of the person who will read their prompts.",
        discussion: """
            Each finding is a line:  FILE: SEVERITY: KEY: what is wrong and what to write instead.
            An error ends with exit code 65; warnings and hints do not, warnings do with --strict.
            Translations beside a manifest (ja.lproj/InfoPlist.strings) are looked at too.
            """)

    @Argument(help: ArgumentHelp("An Info.plist, or the folder it is in.", valueName: "file"))
    var files: [String]

    @Flag(help: "Warnings fail too.")
    var strict = false

    @Flag(help: "Print JSON, one finding a line.")
    var json = false

    @Flag(help: "Print findings alone.")
    var quiet = false

    private struct Line: Encodable {
        let file: String
        let severity: LintSeverity
        let code: LintRule
        let key: String?
        let message: String
        let example: String?
    }

    func run() async throws {
        try await CommandContext.running(quiet: quiet, json: json) { output in
            var failed = false
            for argument in files {
                let input = try ManifestInput(argument)
                let findings = input.findings()
                for finding in findings {
                    let path = input.path(of: finding)
                    if json {
                        try output.json(
                            Line(
                                file: path, severity: finding.severity, code: finding.rule, key: finding.key,
                                message: finding.message, example: finding.example))
                    } else {
                        try output.line(FindingText.line(finding, path: path))
                    }
                    failed = failed || finding.severity == .error || strict && finding.severity == .warning
                }
                if findings.isEmpty { output.note("\(input.file.path): nothing to find fault with.") }
            }
            if failed { throw CommandError.alreadyTold(.badData) }
        }
    }
}

/// A finding as one line, the way compilers write them.
enum FindingText {
    static func line(_ finding: LintFinding, path: String) -> String {
        let key = finding.key.map { "\($0): " } ?? ""
        let example = finding.example.map { " For example: “\($0)”" } ?? ""
        return "\(path): \(finding.severity.rawValue): \(key)\(finding.message)\(example) [\(finding.rule.rawValue)]"
    }
}

/// A manifest that was named on the command line.
struct ManifestInput: Sendable {
    let file: ManifestFile

    /// - Parameter argument: an Info.plist, or the folder it is in.
    init(_ argument: String) throws(CommandError) {
        do {
            let isFolder = try FileMetadata(path: argument).isDirectory
            let folder = argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
            file = try ManifestFile(path: isFolder ? folder + "/Info.plist" : argument)
        } catch {
            throw CommandError(.noInput, .noInput, "\(error.path) cannot be read: \(error.reason).")
        }
    }

    func findings() -> [LintFinding] {
        ManifestLint(program: Self.facts).findings(
            manifest: file.data,
            translations: file.translations.map { Translation(language: $0.language, data: $0.data) })
    }

    /// The path of the file that a finding is about.
    func path(of finding: LintFinding) -> String {
        file.translations.first { $0.path.hasSuffix("/" + finding.file) }?.path ?? file.path
    }

    private static func facts(_ path: String) -> ProgramFacts? {
        guard let metadata = try? FileMetadata(path: path) else { return nil }
        return ProgramFacts(
            isExecutable: metadata.isRegularFile && metadata.mode & 0o111 != 0,
            isWritableByAll: metadata.isWritableByAll)
    }
}
