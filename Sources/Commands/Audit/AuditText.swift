import Authorization
import Consent
import Foundation

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
        case "decision.granted", "decision.denied", "decision.deferred", "decision.withdrawn":
            details += [string(record, "scope"), indication(record)].compactMap { $0 }
        case "session.stopped":
            if case .integer(let milliseconds) = record.fields["milliseconds"] {
                details.append(String(format: "heard %.1f s", Double(milliseconds) / 1000))
            }
        case "policy.changed":
            if case .array(let rules) = record.fields["rules"] { details.append("\(rules.count) denials") }
            if case .object(let broken) = record.fields["brokenFiles"], !broken.isEmpty {
                details.append("cannot be used: " + broken.keys.sorted().joined(separator: ", "))
            }
        default: break
        }
        if let reason = string(record, "reason") { details.append(reason) }
        if case .integer(let repeated) = record.fields["repeated"], repeated > 0 {
            details.append("\(repeated) more before it")
        }
        if let session = string(record, "session") { details.append("session \(session.prefix(8))") }
        if record.isErased { details.append("erased") }
        return details
    }

    private static func indication(_ record: AuditRecord) -> String? {
        switch string(record, "indication").flatMap(Indication.init(rawValue:)) {
        case .terminal: "at the terminal"
        case .agent: "at an agent's terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case nil: nil
        }
    }

    private static func string(_ record: AuditRecord, _ name: String) -> String? {
        guard case .string(let value) = record.fields[name], !value.isEmpty else { return nil }
        return value
    }
}
