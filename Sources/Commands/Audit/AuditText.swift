import Authorization
import Consent
import Foundation

/// A record of the consent log as one line.
enum AuditText {
    static func line(_ record: AuditRecord, timeZone: TimeZone = .current) -> String {
        let fields = record.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }
        let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(record.time)
        let moment = date.map { DayAndTime.text($0, timeZone: timeZone) } ?? record.time
        let head = "\(record.index) \(moment) \(record.kind)"
        // What a record holds came from programs; it must not draw on the terminal.
        return DisplayText.cleaned(([head] + fields).joined(separator: " "), limit: 4_096)
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .string(let value):
            value.isEmpty || value.contains(where: \.isWhitespace) ? "“\(value)”" : value
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .object(let fields):
            "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
