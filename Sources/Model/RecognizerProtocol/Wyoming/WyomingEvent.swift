import Foundation

/// One event of the Wyoming protocol (https://github.com/OHF-Voice/wyoming): a JSON header line, then `data_length`
/// bytes of JSON, then `payload_length` bytes. No newline follows data or payload.
///
///     {"type":"audio-chunk","version":"1.10.2","data_length":42,"payload_length":2048}\n{"rate":…}<2048 bytes>
public struct WyomingEvent: Sendable, Hashable {
    /// The version of the protocol's reference implementation that we follow.
    public static let version = "1.10.2"

    public let type: String
    public let data: [String: WyomingValue]
    public let payload: [UInt8]

    public init(type: String, data: [String: WyomingValue] = [:], payload: [UInt8] = []) {
        self.type = type
        self.data = data
        self.payload = payload
    }

    /// The event as it goes over the wire.
    ///
    /// - Throws: when a number is not finite, or a part is longer than the limits let the other side take.
    public func encoded(limits: WyomingLimits = WyomingLimits()) throws(WyomingError) -> [UInt8] {
        let body = data.isEmpty ? [] : try Self.json(.object(data))
        guard body.count <= limits.data else {
            throw WyomingError(code: .dataTooLong, message: "The event's data is too long to be sent; send less.")
        }
        guard payload.count <= limits.payload else {
            throw WyomingError(code: .payloadTooLong, message: "The event's payload is too long; send it in pieces.")
        }
        var header: [String: WyomingValue] = ["type": .string(type), "version": .string(Self.version)]
        if !body.isEmpty { header["data_length"] = .number(Double(body.count)) }
        if !payload.isEmpty { header["payload_length"] = .number(Double(payload.count)) }
        let line = try Self.json(.object(header))
        guard line.count < limits.header else {
            throw WyomingError(code: .headerTooLong, message: "The event's type is too long to be sent.")
        }
        return line + [UInt8(ascii: "\n")] + body + payload
    }

    private static func json(_ value: WyomingValue) throws(WyomingError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            throw WyomingError(
                code: .dataMalformed, message: "The event's data cannot be written as JSON; send finite numbers.")
        }
    }
}
