import Foundation
import SocketAPI
import Testing

@Suite("How JSON goes over the socket")
struct JSONCodingTests {
    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self)
    }

    private func date(_ text: String) throws -> Date {
        let dates = try JSONCoding.decoder().decode([Date].self, from: Data(#"["\#(text)"]"#.utf8))
        return try #require(dates.first)
    }

    @Test(
        "dates are ISO 8601 in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_790_000_000.25, "2026-09-21T14:13:20.250Z"),
            (-0.5, "1969-12-31T23:59:59.500Z"),
        ])
    func dates(_ seconds: Double, _ text: String) throws {
        #expect(try json([Date(timeIntervalSince1970: seconds)]) == #"["\#(text)"]"#)
        #expect(try date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "a body takes each time that a query takes",
        arguments: ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00+01:00"])
    func times(_ text: String) throws {
        #expect(try date(text) == Date(timeIntervalSince1970: 1_795_255_200))
        #expect(JSONCoding.date(text) == Date(timeIntervalSince1970: 1_795_255_200))
    }

    @Test("a date survives encoding within a millisecond")
    func precision() throws {
        for offset in stride(from: 0, to: 1, by: 0.0137) {
            let moment = Date(timeIntervalSince1970: 1_790_000_000 + offset)
            let back = try JSONCoding.decoder().decode([Date].self, from: JSONCoding.encoder().encode([moment]))
            #expect(abs(try #require(back.first).timeIntervalSince(moment)) <= 0.001)
        }
    }

    @Test(
        "text that is not a date is refused",
        arguments: [
            "", "yesterday", "2026-13-01T00:00:00.000Z", "1790000000", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00",
        ])
    func badDates(_ text: String) { #expect(throws: (any Error).self) { try date(text) } }

    @Test("keys are sorted and slashes are not escaped")
    func shape() throws { #expect(try json(["b": "/dev", "a": "x"]) == #"{"a":"x","b":"/dev"}"#) }
}
