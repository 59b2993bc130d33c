import Base
import Foundation

/// Rows in the binary format of `COPY`: https://www.postgresql.org/docs/15/sql-copy.html.
///
/// Each row: the number of its fields as int16, then each field's size as int32, −1 for NULL, and its bytes; all numbers
/// big-endian.
public struct CopyData: Sendable {
    private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

    /// With the header, without the trailer.
    private var bytes: [UInt8]
    public private(set) var rows = 0

    public init() {
        // No flags, no extension of the header.
        bytes = Self.signature + [UInt8](repeating: 0, count: 8)
    }

    public var count: Int { bytes.count }

    /// What is given to `DatabaseConnection.copy`.
    public var whole: [UInt8] { bytes + [0xFF, 0xFF] }

    public mutating func beginRow(fields: Int16) {
        append(fields)
        rows += 1
    }

    public mutating func appendNull() { append(Int32(-1)) }

    /// For smallint, integer and bigint, by the width of the number.
    public mutating func appendNumber(_ number: some FixedWidthInteger) {
        append(Int32(number.bitWidth / 8))
        append(number)
    }

    /// For bytea and text.
    public mutating func appendBytes(_ value: some Collection<UInt8>) {
        append(Int32(value.count))
        bytes.append(contentsOf: value)
    }

    /// For jsonb, whose binary form is a version and the text.
    public mutating func appendJSON(_ value: some Collection<UInt8>) {
        append(Int32(value.count + 1))
        bytes.append(1)
        bytes.append(contentsOf: value)
    }

    /// For timestamptz: microseconds since 2000-01-01.
    public mutating func appendTime(milliseconds: Int64) { appendNumber((milliseconds - 946_684_800_000) * 1000) }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension Data {
    /// As PostgreSQL writes and reads bytea in text: `\x` and two digits for each byte.
    public var bytea: String { "\\x" + Hexadecimal.encode(self) }

    /// - Returns: `nil` unless the text is what PostgreSQL writes.
    public init?(bytea text: String) {
        let digits = Array(text.utf8)
        guard digits.starts(with: [0x5C, 0x78]), digits.count.isMultiple(of: 2) else { return nil }
        self.init(capacity: digits.count / 2 - 1)
        for place in stride(from: 2, to: digits.count, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
            append(high << 4 | low)
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        default: nil
        }
    }
}

extension String {
    /// PostgreSQL's text of an array.
    public init(array texts: [String]) {
        let quoted = texts.map { text in
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        self = "{" + quoted.joined(separator: ",") + "}"
    }
}
