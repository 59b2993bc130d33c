/// Reads RFC 8785's form of JSON, without fractions, and refuses every other way of writing the same.
///
/// Foundation's decoder takes any JSON and costs ten times as much; a log of a million records is read here.
struct CanonicalJSONReader {
    private static let mostNested = 64

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

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
        var members: [String: JSONValue] = [:]
        if skip(UInt8(ascii: "}")) { return .object(members) }
        var last: String?
        repeat {
            guard let key = string(), last.map({ JSONValue.precedes($0, key) }) ?? true, skip(UInt8(ascii: ":")),
                let value = value()
            else { return nil }
            members[key] = value
            last = key
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        place += 1
        var values: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .array(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func integer() -> Int64? {
        let start = place
        _ = skip(UInt8(ascii: "-"))
        let digits = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > digits, place - start <= 20, let text = String(validating: bytes[start..<place], as: UTF8.self),
            let value = Int64(text), String(value) == text
        else { return nil }
        return value
    }

    private mutating func string() -> String? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = place
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { place += 1 }
        // Most strings need no escape, and are taken as they lie there.
        if skip(UInt8(ascii: "\"")) { return String(validating: bytes[start..<(place - 1)], as: UTF8.self) }
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

    /// The byte after a backslash, where it is written as canonical JSON writes it.
    private mutating func escaped() -> UInt8? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return byte
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "u"): return control()
        default: return nil
        }
    }

    /// `00` and two digits of a control character that has no shorter escape.
    private mutating func control() -> UInt8? {
        guard place + 4 <= bytes.count, bytes[place] == UInt8(ascii: "0"), bytes[place + 1] == UInt8(ascii: "0"),
            let text = String(validating: bytes[(place + 2)..<(place + 4)], as: UTF8.self),
            text == text.lowercased(), let value = UInt8(text, radix: 16), value < 0x20,
            ![0x08, 0x09, 0x0A, 0x0C, 0x0D].contains(value)
        else { return nil }
        place += 4
        return value
    }
}
