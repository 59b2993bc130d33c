import Foundation

extension JSONValue {
    /// What is longer is not parsed, and not written either; a notice with all its fields takes about 4 kB.
    static let maximumSize = 1 << 20

    /// RFC 8785: no white space, keys sorted by UTF-16 code units, the shortest escapes.
    public var canonical: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Reads canonical JSON and nothing else, so that one value has one sequence of bytes.
    ///
    /// - Returns: `nil` for anything else, and for more than 1 MiB.
    init?(canonical data: Data) {
        guard data.count <= Self.maximumSize, let value = try? JSONDecoder().decode(JSONValue.self, from: data),
            Data(value.canonical.utf8) == data
        else { return nil }
        self = value
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.quote(value, to: &text)
        case .array(let values):
            text += "["
            for (position, value) in values.enumerated() {
                if position > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            let sorted = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
            for (position, member) in sorted.enumerated() {
                if position > 0 { text += "," }
                Self.quote(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
