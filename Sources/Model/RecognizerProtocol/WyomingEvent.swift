import Foundation

/// One event of the Wyoming protocol (https://github.com/OHF-Voice/wyoming): a JSON header line, then `data_length`
/// bytes of JSON, then `payload_length` bytes. No newline follows data or payload.
///
///     {"type":"audio-chunk","version":"1.10.2","data_length":42,"payload_length":2048}\n{"rate":…}<2048 bytes>
public struct WyomingEvent: Sendable, Hashable {
    /// Of the protocol's reference implementation.
    public static let version = "1.10.2"

    public let type: String
    public let data: [String: WyomingValue]
    public let payload: [UInt8]

    public init(type: String, data: [String: WyomingValue] = [:], payload: [UInt8] = []) {
        self.type = type
        self.data = data
        self.payload = payload
    }

    /// - Throws: if a number is not finite, or a part exceeds the limits.
    public func encoded(limits: WyomingLimits = WyomingLimits()) throws(ProtocolError) -> [UInt8] {
        let body = data.isEmpty ? [] : try Self.json(.object(data))
        guard body.count <= limits.data else {
            throw ProtocolError(code: .dataTooLong, message: "The event's data is too long to be sent; send less.")
        }
        guard payload.count <= limits.payload else {
            throw ProtocolError(code: .payloadTooLong, message: "The event's payload is too long; send it in pieces.")
        }
        var header: [String: WyomingValue] = ["type": .string(type), "version": .string(Self.version)]
        if !body.isEmpty { header["data_length"] = .integer(body.count) }
        if !payload.isEmpty { header["payload_length"] = .integer(payload.count) }
        let line = try Self.json(.object(header))
        guard line.count < limits.header else {
            throw ProtocolError(code: .headerTooLong, message: "The event's type is too long to be sent.")
        }
        return line + [UInt8(ascii: "\n")] + body + payload
    }

    private static func json(_ value: WyomingValue) throws(ProtocolError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            throw ProtocolError(
                code: .dataMalformed, message: "The event's data cannot be written as JSON; send finite numbers.")
        }
    }
}

/// A JSON value in an event's data.
public enum WyomingValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([WyomingValue])
    case object([String: WyomingValue])

    public static func integer(_ value: some BinaryInteger) -> WyomingValue { .number(Double(value)) }

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [WyomingValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: WyomingValue]? { if case .object(let value) = self { value } else { nil } }

    /// The number if it is finite.
    public var number: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }

    /// The number if it is an exact integer.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

extension WyomingValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([WyomingValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: WyomingValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            // Integers without a fraction, as other implementations write lengths and rates.
            if let whole = Int(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// The largest parts of an event in bytes; checked before anything is parsed or stored.
public struct WyomingLimits: Sendable, Hashable {
    public var header: Int
    public var data: Int
    public var payload: Int

    public init(header: Int = 65_536, data: Int = 1_048_576, payload: Int = 2_097_152) {
        self.header = header
        self.data = data
        self.payload = payload
    }
}
