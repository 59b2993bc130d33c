import ArgumentParser
import AuditExport
import Authorization
import Foundation

struct AuditExportCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write who listened, when, on whose yes, and what became of it, for people or for machines.",
        discussion: """
            bundle   a folder with all of the following, the proofs, and what is needed to check them without VoiceGate
            html     one page to read and print, in --language
            csv      sessions, refused accesses and decisions, for spreadsheets
            jsonld   W3C Data Privacy Vocabulary 2.3
            apple    accesses to the microphone in the shape of Apple's App Privacy Report
            jsonl    the records, one a line

            Without --output it goes to standard output; a bundle needs --output, a folder that is not there yet. What is \
            written is about people: only you may read it, nothing is written over, and Ctrl-C leaves nothing behind. \
            Each export is itself a record of the log. What the formats hold: Documentation/Audit.md
            """)

    @Option(help: ArgumentHelp("What to write: \(ExportFormat.names).", valueName: "format"))
    var format = ExportFormat.bundle

    @Option(help: ArgumentHelp("Only what is about this program.", valueName: "id"))
    var client: String?

    @Option(
        help: ArgumentHelp("Only what happened then or later, such as 2026-11-21.", valueName: "time"),
        transform: AuditTime.read)
    var since: Date?

    @Option(
        help: ArgumentHelp("Only what happened before, such as 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: AuditTime.read)
    var until: Date?

    @Option(help: ArgumentHelp("Only what is about this user, or this pseudonym of the records.", valueName: "person"))
    var subject: String?

    @Option(help: ArgumentHelp("Of the texts: en, ja or ko. (default: that of your locale)", valueName: "code"))
    var language: Language?

    @Option(help: ArgumentHelp("Where to write; nothing may be there yet.", valueName: "path"))
    var output: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if format == .bundle, output == nil {
            throw ValidationError("A bundle is a folder. Name it: --output FOLDER; or choose another --format.")
        }
        if options.json, output == nil {
            throw ValidationError("--json prints a summary beside the export, so the export needs --output PATH.")
        }
        if let output, output.isEmpty { throw ValidationError("--output takes a path.") }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
        if let since, let until, since >= until { throw ValidationError("--since must be before --until.") }
        if let subject, subject.isEmpty || subject.utf8.count > 128 {
            throw ValidationError("--subject takes a user's name or number, or a pseudonym.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let run = ExportRun(
            format: format, client: client.flatMap(ClientIdentifier.init(rawValue:)), since: since, until: until,
            subject: subject.map(Person.subject), language: language ?? .ofPerson, path: output, context: context)
        let signals = SignalWatch()
        let summary = try await signals.cancelling { try await run.make() }
        if context.output.isJSON {
            try context.output.json(summary)
        } else if let output {
            context.output.note("\(output): \(summary.records) records of \(summary.size), SHA-256 \(summary.sha256)")
        }
    }
}

extension ExportFormat: ExpressibleByArgument {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
