import Foundation

extension JSONValue {
    /// What is longer is not parsed, and not written either; a notice with all its fields takes about 4 kB.
    static let maximumSize = 1 << 20

    /// RFC 8785: no white space, keys sorted by UTF-16 code units, the shortest escapes.
    public var canonical: String { String(decoding: canonicalBytes, as: UTF8.self) }

    /// `canonical` in UTF-8.
    var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        write(to: &bytes)
        return bytes
    }

    /// Reads canonical JSON and nothing else, so that one value has one sequence of bytes.
    ///
    /// - Returns: `nil` for anything else, for more than 1 MiB, and for more than 64 values inside each other.
    public init?(canonical data: some Collection<UInt8>) {
        guard data.count <= Self.maximumSize else { return nil }
        var reader = CanonicalJSONReader(Array(data))
        guard let value = reader.whole() else { return nil }
        self = value
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .string(let value): Self.quote(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            let sorted = members.sorted { Self.precedes($0.key, $1.key) }
            for (position, member) in sorted.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// The order of keys: by UTF-16 code units, which for ASCII is the order of bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        if left.utf8.count == left.utf16.count, right.utf8.count == right.utf16.count {
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        return left.utf16.lexicographicallyPrecedes(right.utf16)
    }

    static func quote(_ value: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Hardly any string needs an escape, and those that need none are taken as they are.
        if value.utf8.contains(where: needsEscape) {
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
                case 0x00..<0x20: bytes.append(contentsOf: escape(byte).utf8)
                default: bytes.append(byte)
                }
            }
        } else {
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ control: UInt8) -> String {
        switch control {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: "\\u00" + (control < 16 ? "0" : "") + String(control, radix: 16)
        }
    }
}
