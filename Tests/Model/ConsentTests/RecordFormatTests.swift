import Foundation
import Testing

@testable import Consent

struct RecordFormatTests {
    @Test("canonical JSON sorts its keys, escapes as little as it may, and is read back")
    func canonical() {
        let value = JSONValue.object([
            "b": .array([.null, .boolean(true), .integer(-3)]), "a": .string("é\"\\\n\u{1}/"), "_": .object([:]),
        ])
        let text = #"{"_":{},"a":"é\"\\\n\u0001/","b":[null,true,-3]}"#
        #expect(value.canonical == text)
        #expect(JSONValue(canonical: Data(text.utf8)) == value)
    }

    @Test(
        "JSON that is written another way is refused",
        arguments: [
            #"{"b":1,"a":2}"#, #"{ "a":1}"#, #"{"a":1,"a":1}"#, "1.0", "1e2", #""\u0041""#, "", "{", "[1]x", "-0", "01",
            "+1",
            #"{"a":1,}"#, "[1,]", #""\u000A""#, #""\u001F""#, #""\u00+1""#, #""\u00-0""#, #""\u1""#, #""\/""#, "nul",
            "9223372036854775808", "\"\n\"",
        ])
    func notCanonical(_ text: String) { #expect(JSONValue(canonical: Data(text.utf8)) == nil) }

    @Test("whole numbers are read up to both ends of their range")
    func integers() {
        for value in [0, 9, -1, 10, 999_999_999_999_999_999, 1_000_000_000_000_000_000, Int64.max, Int64.min] {
            #expect(JSONValue(canonical: Data("\(value)".utf8)) == .integer(value))
            #expect(JSONValue(canonical: Data("0\(value)".utf8)) == nil)
        }
    }

    @Test("JSON that is read gives the same bytes again, whichever byte of it was changed, added or left out")
    func changedValues() throws {
        let text = #"{"":[],"a":"é\"\\\n\u0001/","b":[null,true,-30,{"c":{}},9223372036854775807],"d":""}"#
        #expect(JSONValue(canonical: Data(text.utf8)) != nil)
        var read = 0
        for other in Self.changes(of: Data(text.utf8)) {
            guard let value = JSONValue(canonical: other) else { continue }
            read += 1
            if value.canonicalBytes != Array(other) { Issue.record("\(String(decoding: other, as: UTF8.self))") }
        }
        #expect(read > 1000)
    }

    /// With each byte changed to each other one, each one added in each place, and each byte left out.
    private static func changes(of data: Data) -> [Data] {
        let bytes: [UInt8] = Array(0...127) + [0x80, 0xC3, 0xFF]
        var changes: [Data] = []
        for place in data.indices {
            let (before, rest) = (Data(data[..<place]), Data(data[(place + 1)...]))
            changes.append(before + rest)
            for byte in bytes {
                changes.append(before + [byte] + rest)
                changes.append(before + [byte, data[place]] + rest)
            }
        }
        return changes
    }

    @Test("a leaf that is read gives the same bytes again, whichever byte of it was changed, added or left out")
    func changedLeaves() {
        let digest = Data(repeating: 7, count: 32)
        let kinds = ["session.started", "é.ü", "a\"b\\\u{1}", ""]
        var read = 0
        for (number, kind) in kinds.enumerated() {
            let index = [7, 0, 999_999_999_999_999_999, Int64.max][number]
            let leaf = RecordLeaf(
                index: index, kind: RecordKind(rawValue: kind), time: Timestamp(milliseconds: 1_790_000_000_123),
                digestBytes: digest
            )
            #expect(RecordLeaf(data: leaf.data) == leaf)
            for other in Self.changes(of: leaf.data) {
                guard let found = RecordLeaf(data: other) else { continue }
                read += 1
                if found.data != other { Issue.record("\(String(decoding: other, as: UTF8.self))") }
            }
        }
        #expect(read > 5000)
    }

    @Test("the digest of RFC 9901's disclosure is the one printed there")
    func rfc9901() {
        let encoded = "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"
        #expect(Disclosure.digest(of: Data(encoded.utf8)) == "X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0")
    }

    @Test("the same fields have another digest each time, and their disclosure is read back")
    func salt() {
        let first = Disclosure(["user": .integer(1000)])
        let second = Disclosure(["user": .integer(1000)])
        #expect(first.digest != second.digest)
        #expect(Disclosure(text: first.text) == first)
        #expect(Disclosure(text: first.text + Data(" ".utf8)) == nil)
        #expect(Disclosure(text: Data(#"["short",{"user":1000}]"#.utf8)) == nil)
    }

    @Test("a disclosure in base64url, of one field or of several, is refused")
    func otherForms() {
        let field = #"["AAAAAAAAAAAAAAAAAAAAAA","user",1000]"#
        let fields = #"["AAAAAAAAAAAAAAAAAAAAAA",{"user":1000}]"#
        #expect(Disclosure(text: Data(fields.utf8))?.fields == ["user": .integer(1000)])
        #expect(Disclosure(text: Data(field.utf8)) == nil)
        for text in [field, fields] { #expect(Disclosure(text: Data(Base64URL.encode(Data(text.utf8)).utf8)) == nil) }
    }

    @Test("every control character is escaped in the one way, and read back")
    func controls() {
        for code in 0..<0x20 as Range<UInt8> {
            let value = JSONValue.string("a" + String(UnicodeScalar(code)) + "ü")
            #expect(JSONValue(canonical: Data(value.canonical.utf8)) == value)
        }
    }

    @Test("text that is nested too deeply, or is not UTF-8, is refused")
    func hostile() {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(JSONValue(canonical: Data(deep.utf8)) == nil)
        let fitting = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(JSONValue(canonical: Data(fitting.utf8)) != nil)
        #expect(JSONValue(canonical: Data([0x22, 0xFF, 0x22])) == nil)
        #expect(JSONValue(canonical: Data([0x22, 0xC0, 0x80, 0x22])) == nil)
        #expect(JSONValue(canonical: Data(repeating: 0x5B, count: 2_000_000)) == nil)
    }

    @Test("keys are in the order of UTF-16 code units, which is not that of code points")
    func order() {
        let value = JSONValue.object(["\u{FB33}": .integer(1), "\u{1F600}": .integer(2), "a": .integer(3)])
        #expect(value.canonical == "{\"a\":3,\"\u{1F600}\":2,\"\u{FB33}\":1}")
        #expect(JSONValue(canonical: Data(value.canonical.utf8)) == value)
    }

    @Test(
        "a time is read back as it was written, to the millisecond",
        arguments: [0, 1, 999, 1_790_000_000_123, 1_790_000_000_999, -1, -1001] as [Int64])
    func timestamps(_ milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(time.text) == time)
        #expect(Timestamp(time.date) == time)
        #expect(time.text.count == 24)
    }

    @Test(
        "a time out of range becomes the nearest that can be written",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e12])
    func extremes(_ seconds: Double) {
        let time = Timestamp(Date(timeIntervalSince1970: seconds))
        #expect(Timestamp(time.text) == time)
    }

    @Test(
        "a time that is written another way is refused",
        arguments: [
            "2026-01-01T00:00:00Z", "", "x.123Z", "1.+12Z", "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z", "2026-01-00T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z", "0000-01-01T00:00:00.000Z",
            "2026-01-01t00:00:00.000Z", "+026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000z",
        ])
    func badTimestamps(_ text: String) { #expect(Timestamp(text) == nil) }

    @Test("a leaf is read back from its bytes, whatever its kind is called, and from no others")
    func leaves() {
        let disclosure = Disclosure(["user": .integer(1)])
        let digest = disclosure.digest
        func isLeaf(_ leaf: Data, index: Int64, kind: String, disclosure: Data) -> Bool {
            StoredRecord(index: index, kind: kind, leaf: leaf, disclosed: disclosure).withBytes { record in
                record.disclosed.map {
                    RecordLeaf.isLeaf(record.leaf, index: index, kind: record.kind, disclosure: $0)
                } == true
            }
        }
        for kind in ["log.genesis", "k", "", "with \"quotes\" and \\", "sesión,\"kind\":\"", "a\n"] {
            for index in [0, 7, 1_234_567, Int64.max] {
                let leaf = RecordLeaf(
                    index: index, kind: RecordKind(rawValue: kind), time: Timestamp(milliseconds: 5), digest: digest)
                #expect(RecordLeaf(data: leaf.data) == leaf)
                #expect(isLeaf(leaf.data, index: index, kind: kind, disclosure: disclosure.text))
                #expect(!isLeaf(leaf.data, index: index ^ 1, kind: kind, disclosure: disclosure.text))
                #expect(!isLeaf(leaf.data, index: index, kind: kind + "x", disclosure: disclosure.text))
                #expect(!isLeaf(leaf.data, index: index, kind: kind, disclosure: Data("[]".utf8)))
                #expect(!isLeaf(leaf.data + leaf.data, index: index, kind: kind, disclosure: disclosure.text))
            }
        }
        let text = String(
            decoding: RecordLeaf(
                index: 12, kind: .used, time: Timestamp(milliseconds: 1_790_000_000_123), digest: digest
            ).data, as: UTF8.self)
        for (old, new) in [
            ("\"index\":12", "\"index\":012"), ("\"index\":12", "\"index\":+12"), ("\"index\":12", "\"index\":12.0"),
            ("\"schema\":2", "\"schema\":3"), ("\"schema\":2", "\"schema\":1"), ("}", "} "), ("{", " {"),
            ("\"kind\"", "\"kinds\""),
            ("_sd\":[\"", "_sd\":[ \""), (".123Z", ".123z"), ("T14:", "t14:"), ("{", "{\"a\":1,"),
        ] { #expect(RecordLeaf(data: Data(text.replacing(old, with: new, maxReplacements: 1).utf8)) == nil, "\(new)") }
    }
}
