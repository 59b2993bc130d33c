/// A JSON value in an event's data.
public enum WyomingValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([WyomingValue])
    case object([String: WyomingValue])

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [WyomingValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: WyomingValue]? { if case .object(let value) = self { value } else { nil } }

    /// The number when it is finite.
    public var number: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }

    /// The number when it is whole and an `Int` can hold it exactly.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }
}
