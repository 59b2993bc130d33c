import Foundation

extension JSONValue {
    static func texts(_ values: some Sequence<String>) -> JSONValue { .array(values.map(JSONValue.string)) }

    static func index(_ value: UInt64) -> JSONValue { .integer(Int64(clamping: value)) }

    /// RFC 3339, UTC, milliseconds.
    static func time(_ date: Date) -> JSONValue { .string(Timestamp(date).text) }
}

extension [String: JSONValue] {
    /// Later fields win.
    static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }

    /// The field where there is a value, else nothing.
    static func optional(_ name: String, _ value: JSONValue?) -> Self { value.map { [name: $0] } ?? [:] }
}
