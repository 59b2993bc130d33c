import ArgumentParser
import Foundation
import ManifestLint

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
