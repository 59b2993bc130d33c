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
        arguments: [#"{"b":1,"a":2}"#, #"{ "a":1}"#, #"{"a":1,"a":1}"#, "1.0", "1e2", #""\u0041""#, "", "{", "[1]x"])
    func notCanonical(_ text: String) {
        #expect(JSONValue(canonical: Data(text.utf8)) == nil)
    }

    @Test("the digest of RFC 9901's disclosure is the one printed there")
    func rfc9901() {
        let encoded = "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"
        #expect(Disclosure.digest(of: Data(encoded.utf8)) == "X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0")
    }

    @Test("the same field has another digest each time, and its disclosure is read back")
    func salt() {
        var randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
        let first = Disclosure(name: "user", value: .integer(1000), using: &randomness)
        let second = Disclosure(name: "user", value: .integer(1000), using: &randomness)
        #expect(first.digest != second.digest)
        #expect(Disclosure(encoded: first.encoded) == first)
        #expect(Disclosure(encoded: first.encoded + "=") == nil)
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
        "a time that nobody lives in is brought to the nearest that can be written",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e12])
    func extremes(_ seconds: Double) {
        let time = Timestamp(Date(timeIntervalSince1970: seconds))
        #expect(Timestamp(time.text) == time)
    }

    @Test("a time that is written another way is refused", arguments: ["2026-01-01T00:00:00Z", "", "x.123Z", "1.+12Z"])
    func badTimestamps(_ text: String) {
        #expect(Timestamp(text) == nil)
    }
}
