import ArgumentParser
import Authorization
import Foundation
import LinuxSystem
import ManifestLint

struct ManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Write, check, show, install and remove a program's Info.plist, the source of its prompts.",
        discussion: """
            A manifest is an Info.plist with Apple's keys and VoiceGate's own; Documentation/Manifest.md lists them. \
            The service need not run, except for remove.
            """,
        subcommands: [
            ManifestNewCommand.self, ManifestLintCommand.self, ManifestShowCommand.self, ManifestInstallCommand.self,
            ManifestRemoveCommand.self,
        ])
}

struct ManifestLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Check manifests as the readers of their prompts would.",
        discussion: """
            Each finding is a line:  FILE: SEVERITY: KEY: the problem and its correction.
            The exit code is 65 if there is an error, or with --strict a warning.
            Translations beside a manifest (ja.lproj/InfoPlist.strings) are checked too.
            """)

    @Argument(help: .init("An Info.plist or its folder.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let output = outputOptions.output
        try await output.reportingErrors {
            var failed = false
            for argument in files {
                let file = try ManifestFile(argument: argument)
                let findings = file.findings()
                let errors = findings.contains {
                    $0.severity == .error || strict && $0.severity == .warning
                }
                failed = failed || errors
                for finding in findings {
                    let path = file.path(of: finding)
                    let members = [
                        "file": path, "severity": finding.severity.rawValue, "code": finding.rule.rawValue,
                        "key": finding.key, "message": finding.message, "example": finding.example,
                    ]
                    try output.decided(failed) {
                        try output.result(members.compactMapValues { $0 }, [finding.line(path: path)])
                    }
                }
                if findings.isEmpty { output.note("\(file.path): no findings.") }
            }
            if failed { throw CommandError.reported(.badData) }
        }
    }
}

extension LintFinding {
    /// The finding as a line in the format of compilers.
    func line(path: String) -> String {
        let key = key.map { "\($0): " } ?? ""
        let example = example.map { " For example: “\($0)”" } ?? ""
        return "\(path): \(severity.rawValue): \(key)\(message)\(example) [\(rule.rawValue)]"
    }
}

extension ManifestFile {
    /// - Parameter argument: an Info.plist or its folder.
    init(argument: String) throws(FileError) {
        let isFolder = try FileMetadata(path: argument).isDirectory
        let folder = argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
        try self.init(path: isFolder ? folder + "/Info.plist" : argument)
    }

    func findings() -> [LintFinding] {
        ManifestLint(program: Self.facts).findings(
            manifest: data, translations: Dictionary(translations.map { ($0.language, $0.data) }) { first, _ in first })
    }

    func path(of finding: LintFinding) -> String {
        translations.first { $0.path.hasSuffix("/" + finding.file) }?.path ?? path
    }

    private static func facts(_ path: String) -> ProgramFacts? {
        guard let metadata = try? FileMetadata(path: path) else { return nil }
        return ProgramFacts(
            isExecutable: metadata.isRegularFile && metadata.mode & 0o111 != 0,
            isWritableByAll: metadata.isWritableByAll, codeRunner: CodeRunners.ofSystem.reason(of: path))
    }
}
