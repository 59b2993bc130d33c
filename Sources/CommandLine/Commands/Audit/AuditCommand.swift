import ArgumentParser
import Authorization
import Consent
import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Read, prove, export and erase the consent log: requests, answers and use.",
        subcommands: [
            AuditRecordsCommand.self, AuditTraceCommand.self, AuditExportCommand.self, AuditVerifyCommand.self,
            AuditCheckpointCommand.self, AuditProveCommand.self, AuditEraseCommand.self, AuditBackupCommand.self,
        ])
}

struct AuditRecordsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List the records, oldest first, one per line.",
        discussion: "A line has the essentials. With --json it is the whole record, with the notice as shown.")

    @Option(
        help: .init("Only records from this time on, such as 2026-11-21T10:00:00Z.", valueName: "time"),
        transform: ArgumentReader.time)
    var since: Date?

    @Option(help: .init("Only the newest records, at most this many.", valueName: "count"))
    var limit: Int?

    @Option(help: .init("Only records about this program.", valueName: "id"), transform: ArgumentReader.client)
    var client: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let limit, !(1...10_000).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to 10000. Without --limit all records are listed.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for try await record in try await service.auditRecords(since: since, limit: limit, client: client) {
            try context.output.result(record, [AuditText.line(record)])
        }
    }
}

/// A record as one line: index, time, kind and essentials. `--json` has all fields.
enum AuditText {
    static func line(_ record: AuditRecord, timeZone: TimeZone = .current) -> String {
        let time = DayAndTime.text(ofRecord: record.time, timeZone: timeZone)
        let index = String(repeating: " ", count: max(0, 4 - "\(record.index)".count)) + "\(record.index)"
        let kind = record.kind.padding(toLength: max(18, record.kind.count), withPad: " ", startingAt: 0)
        let line = "\(index)  \(time)  \(kind)  " + details(record).joined(separator: " · ")
        // Fields come from programs and must not draw on the terminal. The spaces of the columns stay.
        return line.split(separator: " ", omittingEmptySubsequences: false)
            .map { DisplayText.cleaned(String($0), limit: 400) }.joined(separator: " ")
    }

    private static func details(_ record: AuditRecord) -> [String] {
        var details = ["client", "resource", "device"].map { string(record, $0) }
        details += ofKind(record)
        details.append(string(record, "reason"))
        if let repeated = record.fields["repeated"]?.integer, repeated > 0 {
            details.append("\(repeated) more before it")
        }
        details.append(string(record, "session").map { "session \($0.prefix(8))" })
        let grounds = record.fields["decisionRecords"]?.object?.values.compactMap(\.integer).sorted() ?? []
        if !grounds.isEmpty { details.append("on \(grounds.map(String.init).joined(separator: ", "))") }
        if record.isErased { details.append("erased") }
        return details.compactMap { $0 }
    }

    private static func ofKind(_ record: AuditRecord) -> [String?] {
        switch record.kind {
        case "decision.granted", "decision.renewed", "decision.denied", "decision.deferred", "decision.withdrawn":
            let indication = string(record, "indication").flatMap(Indication.init(rawValue:))
            return [string(record, "scope"), indication.map(SettingsWords.indication)]
        case "notice.changed":
            return ["the notice was \(short(record, "previousNoticeSHA256")), is \(short(record, "noticeSHA256"))"]
        case "restricted.by_policy", "revoked.by_admin":
            return ["by policy" + (record.fields["rule"]?.object?["reason"]?.string.map { ": \($0)" } ?? "")]
        case "session.stopped":
            return [integer(record, "milliseconds").map { String(format: "heard %.1f s", Double($0) / 1000) }]
        case "policy.changed":
            let broken = record.fields["brokenFiles"]?.object?.keys.sorted() ?? []
            return [
                record.fields["rules"]?.array.map { "\($0.count) denials" },
                broken.isEmpty ? nil : "unusable: " + broken.joined(separator: ", "),
            ]
        case "data.retained":
            return [
                string(record, "dataKind"), integer(record, "bytes").map { "\($0) bytes" },
                string(record, "until").map { "until \($0)" }, "item \(short(record, "item"))",
            ]
        case "data.notKept": return [string(record, "dataKind")]
        case "data.erased":
            return [
                beginnings(record, "items").map { "items \($0)" },
                record.fields["records"]?.array.map { "records " + ranges($0) },
            ]
        case "data.shared":
            return [
                record.fields["recipients"]?.array.map { "with " + $0.compactMap(\.string).joined(separator: ", ") }
            ]
        case "request.received", "request.answered":
            return [string(record, "right"), string(record, "outcome"), "request \(short(record, "request"))"]
        case "export.made": return [string(record, "format"), "SHA-256 \(short(record, "sha256"))"]
        case "checkpoint.published":
            return [integer(record, "size").map { "\($0) records" }, string(record, "destination")]
        case "recovery": return [beginnings(record, "sessions").map { "sessions without an end: \($0)" }]
        case "clock.jump": return [integer(record, "milliseconds").map { "by \($0) ms" }]
        default: return []
        }
    }

    /// The beginning of a digest or an identifier.
    private static func short(_ record: AuditRecord, _ name: String) -> String {
        String((string(record, name) ?? "").prefix(8))
    }

    private static func beginnings(_ record: AuditRecord, _ name: String) -> String? {
        record.fields[name]?.array.map { $0.map { "\(($0.string ?? "").prefix(8))" }.joined(separator: ", ") }
    }

    private static func ranges(_ ranges: [JSONValue]) -> String {
        let shown = ranges.prefix(6).compactMap(range).joined(separator: ", ")
        return ranges.count > 6 ? shown + ", …" : shown
    }

    private static func range(_ ends: JSONValue) -> String? {
        guard let numbers = ends.array?.compactMap(\.integer), numbers.count == 2 else { return nil }
        return numbers[0] == numbers[1] ? "\(numbers[0])" : "\(numbers[0])–\(numbers[1])"
    }

    private static func integer(_ record: AuditRecord, _ name: String) -> Int64? {
        record.fields[name]?.integer
    }

    private static func string(_ record: AuditRecord, _ name: String) -> String? {
        guard let value = record.fields[name]?.string, !value.isEmpty else { return nil }
        return value
    }
}
