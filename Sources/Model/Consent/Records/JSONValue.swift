/// A JSON value without fractions, which have no single way to be written.
public enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The text, or `null` when there is none.
    init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}

extension JSONValue {
    static func texts(_ values: some Sequence<String>) -> JSONValue { .array(values.map(JSONValue.string)) }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// Longer texts are neither parsed nor written; a notice with all its fields takes about 4 kB.
    public static let maximumSize = 1 << 20

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
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: `nil` for anything else, for more bytes, and for more than 64 values inside each other.
    public init?(canonical data: some Collection<UInt8>, limit: Int = maximumSize) {
        guard data.count <= limit else { return nil }
        var reader = CanonicalJSONReader(Array(data))
        guard let value = reader.whole() else { return nil }
        self = value
    }

    /// Reads the text of PostgreSQL's `jsonb`, which differs from canonical JSON in spaces after `:` and `,` and in the
    /// order of members.
    ///
    /// - Returns: `nil` for anything else.
    public init?(jsonb data: some Collection<UInt8>) {
        // A space for each value at most.
        guard data.count <= 2 * Self.maximumSize else { return nil }
        var reader = CanonicalJSONReader(Array(data), isStored: true)
        guard let value = reader.whole() else { return nil }
        self = value
    }

    func write(to bytes: inout [UInt8]) {
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

    /// The order of keys: by UTF-16 code units. That of UTF-8 is the same, except that surrogates (F0 and above in UTF-8)
    /// precede U+E000 to U+FFFF (EE and EF).
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let shared = min(left.count, right.count)
                guard let place = (0..<shared).first(where: { left[$0] != right[$0] }) else {
                    return left.count < right.count
                }
                let (left, right) = (left[place], right[place])
                return left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0) ? left > right : left < right
            }
        }
    }

    static func quote(_ value: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { text in
            // Hardly any string needs an escape, and those that need none are taken as they are.
            guard text.contains(where: needsEscape) else { return bytes.append(contentsOf: text) }
            for byte in text {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
                case 0x00..<0x20: bytes += escape(byte)
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The control characters that have a short escape, with their letters.
    fileprivate static let shortEscapes = zip([0x08, 0x09, 0x0A, 0x0C, 0x0D] as [UInt8], "btnfr".utf8)
        .map { (control: $0, letter: $1) }

    private static func escape(_ control: UInt8) -> [UInt8] {
        if let short = shortEscapes.first(where: { $0.control == control }) {
            return [UInt8(ascii: "\\"), short.letter]
        }
        return Array(("\\u00" + hexadecimal(control)).utf8)
    }

    fileprivate static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

/// Reads RFC 8785's form of JSON, without fractions, and refuses every other way of writing the same.
///
/// Foundation's decoder takes any JSON and costs ten times as much; a log of a million records is read here.
struct CanonicalJSONReader {
    private static let mostNested = 64

    private let bytes: [UInt8]
    /// Whether a database wrote the text: see `JSONValue.init(jsonb:)`.
    private let isStored: Bool
    private var place = 0
    private var depth = 0

    init(_ bytes: [UInt8], isStored: Bool = false) {
        self.bytes = bytes
        self.isStored = isStored
    }

    /// The value that all bytes together are, or `nil`.
    mutating func whole() -> JSONValue? {
        guard let value = value(), place == bytes.count else { return nil }
        return value
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Skips a separator and, in a stored text, the space after it.
    private mutating func skip(separator: UInt8) -> Bool {
        guard skip(separator) else { return false }
        if isStored { _ = skip(UInt8(ascii: " ")) }
        return true
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ bytes[place..<end].elementsEqual($0) })
        else { return false }
        place = end
        return true
    }

    private mutating func value() -> JSONValue? {
        switch next {
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "n"): return skip("null") ? .null : nil
        case UInt8(ascii: "t"): return skip("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return skip("false") ? .boolean(false) : nil
        default: return integer().map(JSONValue.integer)
        }
    }

    private mutating func nested(_ read: (inout Self) -> JSONValue?) -> JSONValue? {
        guard depth < Self.mostNested else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func object() -> JSONValue? {
        place += 1
        if skip(UInt8(ascii: "}")) { return .object([:]) }
        // As many as a record has, mostly. What is farther inside has few.
        var members = [String: JSONValue](minimumCapacity: depth <= 2 ? 12 : 0)
        var last: String?
        repeat {
            guard let key = string(), isStored || last.map({ JSONValue.precedes($0, key) }) ?? true,
                skip(separator: UInt8(ascii: ":")), let value = value()
            else { return nil }
            members[key] = value
            last = key
        } while skip(separator: UInt8(ascii: ","))
        return skip(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        place += 1
        var values: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .array(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while skip(separator: UInt8(ascii: ","))
        return skip(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func integer() -> Int64? {
        let start = place
        _ = skip(UInt8(ascii: "-"))
        let digits = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > digits, place - start <= 20 else { return nil }
        if place - start < 19, digits == start, bytes[start] != UInt8(ascii: "0") || place - start == 1 {
            return bytes[start..<place].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Int64(text), String(value) == text else { return nil }
        return value
    }

    private mutating func string() -> String? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = place
        var isASCII = true
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            isASCII = isASCII && byte < 0x80
            place += 1
        }
        // Most strings need no escape, and are taken as they lie there. Validation is slow; ASCII needs none.
        if skip(UInt8(ascii: "\"")) {
            let text = bytes[start..<(place - 1)]
            return isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<place])
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let control = escaped() else { return nil }
                unescaped.append(control)
            case 0x00..<0x20: return nil
            default: unescaped.append(byte)
            }
        }
        return nil
    }

    /// The byte after a backslash, if it is written as in canonical JSON.
    private mutating func escaped() -> UInt8? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return byte
        case UInt8(ascii: "u"): return control()
        default: return JSONValue.shortEscapes.first { $0.letter == byte }?.control
        }
    }

    /// `00` and two digits of a control character that has no shorter escape.
    private mutating func control() -> UInt8? {
        guard place + 4 <= bytes.count, bytes[place] == UInt8(ascii: "0"), bytes[place + 1] == UInt8(ascii: "0"),
            let text = String(validating: bytes[(place + 2)..<(place + 4)], as: UTF8.self),
            // A sign would be read, too.
            let value = UInt8(text, radix: 16), value < 0x20, JSONValue.hexadecimal(value) == text,
            !JSONValue.shortEscapes.contains(where: { $0.control == value })
        else { return nil }
        place += 4
        return value
    }
}
