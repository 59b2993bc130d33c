import Authorization

/// A field of records, of any type. `RecordField+All.swift` has all of them.
///
/// Unchecked only because it has a subclass: neither has anything that changes.
public class RecordField: @unchecked Sendable {
    /// As it is written.
    public let name: String

    init(_ name: String) { self.name = name }
}

/// A field of records with the type of its value.
public final class Field<Value: RecordValue>: RecordField, @unchecked Sendable {}

/// A value that a field may have.
public protocol RecordValue {
    var json: JSONValue { get }

    /// - Returns: `nil` for a value of another type, which a later version may write.
    init?(json: JSONValue)
}

/// A value that is written as a text.
public protocol RecordText: RecordValue {
    var text: String { get }
    init?(_ text: String)
}

/// A record, or an object in one.
public protocol Recorded {
    var fields: [String: JSONValue] { get }
}

extension Recorded {
    /// - Returns: `nil` also for a value of another type.
    public subscript<Value>(field: Field<Value>) -> Value? { fields[field.name].flatMap(Value.init(json:)) }

    /// A text as it is written, which may be a word that only a later version knows.
    public func text(_ field: Field<some RecordText>) -> String? { fields[field.name]?.string }

    /// Texts as they are written.
    public func texts(_ field: Field<[some RecordText]>) -> [String]? {
        fields[field.name]?.array?.compactMap(\.string)
    }

    /// The value as it is written; `nil` without the field.
    public func json(of field: RecordField) -> JSONValue? { fields[field.name] }
}

extension Dictionary: Recorded where Key == String, Value == JSONValue {
    public var fields: Self { self }
}

extension RecordText {
    public var json: JSONValue { .string(text) }

    public init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
}

extension RecordText where Self: RawRepresentable<String> {
    public var text: String { rawValue }
    public init?(_ text: String) { self.init(rawValue: text) }
}

extension RecordValue where Self: FixedWidthInteger {
    public var json: JSONValue { .integer(Int64(clamping: self)) }

    public init?(json: JSONValue) {
        guard let number = json.integer else { return nil }
        self.init(exactly: number)
    }
}

extension String: RecordText {
    public var text: String { self }
}

extension Timestamp: RecordText {}
extension ClientIdentifier: RecordText {}
extension DataKind: RecordText {}
extension Fidelity: RecordText {}
extension KeepingReason: RecordText {}
extension Language: RecordText {}
extension MonitorAction: RecordText {}
extension MuteScope.Kind: RecordText {}
extension Question.Kind: RecordText {}
extension Resource: RecordText {}
extension RightsOutcome: RecordText {}
extension RightsRequest.Right: RecordText {}
extension Scope: RecordText {}
extension SharedData.Basis: RecordText {}
extension Sharing: RecordText {}

extension Int: RecordValue {}
extension Int32: RecordValue {}
extension Int64: RecordValue {}
extension UInt32: RecordValue {}
extension UInt64: RecordValue {}

extension Bool: RecordValue {
    public var json: JSONValue { .boolean(self) }

    public init?(json: JSONValue) {
        guard case .boolean(let value) = json else { return nil }
        self = value
    }
}

extension JSONValue: RecordValue {
    public var json: JSONValue { self }
    public init?(json: JSONValue) { self = json }
}

/// Elements of another type are left out.
extension Array: RecordValue where Element: RecordValue {
    public var json: JSONValue { .array(map(\.json)) }

    public init?(json: JSONValue) {
        guard let values = json.array else { return nil }
        self = values.compactMap(Element.init(json:))
    }
}

/// Members of another type are left out.
extension Dictionary: RecordValue where Key == String, Value: RecordValue {
    public var json: JSONValue { .object(mapValues(\.json)) }

    public init?(json: JSONValue) {
        guard let members = json.object else { return nil }
        self = members.compactMapValues(Value.init(json:))
    }
}
