import ArgumentParser
import Authorization
import Consent
import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Look into the consent log: what was asked, answered and used.",
        subcommands: [
            AuditRecordsCommand.self, AuditTraceCommand.self, AuditExportCommand.self, AuditVerifyCommand.self,
            AuditCheckpointCommand.self, AuditProveCommand.self, AuditEraseCommand.self,
            AuditBackupCommand.self,
        ])
}

struct AuditRecordsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List the records, oldest first, one a line.",
        discussion: "A line names the essentials. With --json it is the whole record, with the notice as it was shown.")

    @Option(
        help: ArgumentHelp("List only what happened then or later, such as 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: AuditTime.read)
    var since: Date?

    @Option(help: ArgumentHelp("List only the last so many.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("List only what is about this program.", valueName: "id"))
    var client: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let limit, !(1...10_000).contains(limit) {
            throw ValidationError("--limit takes a count from 1 to 10000. Leave it away for all records.")
        }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for try await record in try await service.auditRecords(since: since, limit: limit, client: client) {
            if context.output.isJSON {
                try context.output.json(record)
            } else {
                try context.output.line(AuditText.line(record))
            }
        }
    }
}

/// A record of the consent log as one line: when, what, who, and what makes it this one. All that a record holds is in
/// `--json`.
enum AuditText {
    static func line(_ record: AuditRecord, timeZone: TimeZone = .current) -> String {
        let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(record.time)
        let moment = date.map { DayAndTime.text($0, timeZone: timeZone) } ?? record.time
        let index = String(repeating: " ", count: max(0, 4 - "\(record.index)".count)) + "\(record.index)"
        let kind = record.kind.padding(toLength: max(18, record.kind.count), withPad: " ", startingAt: 0)
        let line = "\(index)  \(moment)  \(kind)  " + details(record).joined(separator: " · ")
        // What a record holds came from programs; it must not draw on the terminal. The columns' own spaces stay.
        return line.split(separator: " ", omittingEmptySubsequences: false)
            .map { DisplayText.cleaned(String($0), limit: 400) }.joined(separator: " ")
    }

    private static func details(_ record: AuditRecord) -> [String] {
        var details = ["client", "resource", "device"].compactMap { string(record, $0) }
        switch record.kind {
        case "decision.granted", "decision.renewed", "decision.denied", "decision.deferred", "decision.withdrawn":
            details += [string(record, "scope"), indication(record)].compactMap { $0 }
        case "notice.changed":
            details.append(
                "the notice was \(short(record, "previousNoticeSHA256")), is \(short(record, "noticeSHA256"))")
        case "restricted.by_policy", "revoked.by_admin":
            details.append("by policy" + (record.fields["rule"]?.object?["reason"]?.string.map { ": \($0)" } ?? ""))
        case "session.stopped":
            if case .integer(let milliseconds) = record.fields["milliseconds"] {
                details.append(String(format: "heard %.1f s", Double(milliseconds) / 1000))
            }
        case "policy.changed":
            if case .array(let rules) = record.fields["rules"] { details.append("\(rules.count) denials") }
            if case .object(let broken) = record.fields["brokenFiles"], !broken.isEmpty {
                details.append("cannot be used: " + broken.keys.sorted().joined(separator: ", "))
            }
        default: details += ofData(record) + ofLog(record)
        }
        if let reason = string(record, "reason") { details.append(reason) }
        if case .integer(let repeated) = record.fields["repeated"], repeated > 0 {
            details.append("\(repeated) more before it")
        }
        if let session = string(record, "session") { details.append("session \(session.prefix(8))") }
        let stands = record.fields["decisionRecords"]?.object?.values.compactMap(\.integer).sorted() ?? []
        if !stands.isEmpty { details.append("on \(stands.map(String.init).joined(separator: ", "))") }
        if record.isErased { details.append("erased") }
        return details
    }

    private static func ofData(_ record: AuditRecord) -> [String] {
        switch record.kind {
        case "data.retained":
            [
                string(record, "dataKind"), record.fields["bytes"]?.integer.map { "\($0) bytes" },
                string(record, "until").map { "until \($0)" }, "item \(short(record, "item"))",
            ].compactMap { $0 }
        case "data.notKept": [string(record, "dataKind")].compactMap { $0 }
        case "data.erased":
            [
                record.fields["items"]?.array.map {
                    "items " + $0.map { "\(($0.string ?? "").prefix(8))" }.joined(separator: ", ")
                },
                record.fields["records"]?.array.map { "records " + ranges($0) },
            ].compactMap { $0 }
        case "data.shared":
            [record.fields["recipients"]?.array.map { "with " + $0.compactMap(\.string).joined(separator: ", ") }]
                .compactMap { $0 }
        default: []
        }
    }

    private static func ofLog(_ record: AuditRecord) -> [String] {
        switch record.kind {
        case "request.received", "request.answered":
            [string(record, "right"), string(record, "outcome"), "request \(short(record, "request"))"]
                .compactMap { $0 }
        case "export.made": [string(record, "format"), "SHA-256 \(short(record, "sha256"))"].compactMap { $0 }
        case "checkpoint.published":
            [record.fields["size"]?.integer.map { "\($0) records" }, string(record, "destination")].compactMap { $0 }
        case "recovery":
            [
                record.fields["sessions"]?.array.map {
                    "sessions without an end: " + $0.map { "\(($0.string ?? "").prefix(8))" }.joined(separator: ", ")
                }
            ].compactMap { $0 }
        case "clock.jump": [record.fields["milliseconds"]?.integer.map { "by \($0) ms" }].compactMap { $0 }
        default: []
        }
    }

    /// The beginning of a digest or an identifier, by which it is found in `--json`.
    private static func short(_ record: AuditRecord, _ name: String) -> String {
        String((string(record, name) ?? "").prefix(8))
    }

    private static func ranges(_ ranges: [JSONValue]) -> String {
        let shown = ranges.prefix(6).compactMap(range).joined(separator: ", ")
        return ranges.count > 6 ? shown + ", …" : shown
    }

    private static func range(_ ends: JSONValue) -> String? {
        guard let numbers = ends.array?.compactMap(\.integer), numbers.count == 2 else { return nil }
        return numbers[0] == numbers[1] ? "\(numbers[0])" : "\(numbers[0])–\(numbers[1])"
    }

    private static func indication(_ record: AuditRecord) -> String? {
        switch string(record, "indication").flatMap(Indication.init(rawValue:)) {
        case .terminal: "at the terminal"
        case .agent: "at an agent's terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case .administrator: "by the administrator"
        case nil: nil
        }
    }

    private static func string(_ record: AuditRecord, _ name: String) -> String? {
        guard case .string(let value) = record.fields[name], !value.isEmpty else { return nil }
        return value
    }
}
