import Foundation

/// Decodes events from a stream of bytes. Buffers at most the limits and one appended piece. After an error every further call
/// throws `outOfStep`.
public struct WyomingDecoder: Sendable {
    private struct Header: Sendable {
        let type: String
        let inlineData: [String: WyomingValue]
        let dataLength: Int
        let payloadLength: Int
    }

    private enum State: Sendable {
        /// The bytes before `searched` do not contain the end of the header line.
        case header(searched: Int)
        case body(Header)
        case failed
    }

    private let limits: WyomingLimits
    private var buffer: [UInt8] = []
    private var start = 0
    private var state = State.header(searched: 0)

    public init(limits: WyomingLimits = WyomingLimits()) {
        self.limits = limits
    }

    /// Whether the bytes end between two events.
    public var isAtBoundary: Bool {
        if case .header = state { start == buffer.count } else { false }
    }

    public mutating func append(_ bytes: some Collection<UInt8>) {
        if case .failed = state { return }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or `nil` if more bytes are needed. Call it until it returns `nil`.
    public mutating func next() throws(ProtocolError) -> WyomingEvent? {
        do {
            return try advance()
        } catch {
            state = .failed
            buffer = []
            start = 0
            throw error
        }
    }

    private mutating func advance() throws(ProtocolError) -> WyomingEvent? {
        switch state {
        case .failed:
            throw ProtocolError(code: .outOfStep, message: "The stream broke earlier; open a new one.")
        case .header(let searched):
            guard let end = buffer[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
                guard buffer.count - start <= limits.header else { throw Self.headerTooLong }
                state = .header(searched: buffer.count - start)
                return nil
            }
            guard end - start <= limits.header else { throw Self.headerTooLong }
            let header = try parse(header: buffer[start..<end])
            start = end + 1
            state = .body(header)
            return try advance()
        case .body(let header):
            let dataEnd = start + header.dataLength
            let end = dataEnd + header.payloadLength
            guard buffer.count >= end else { return nil }
            var data = header.inlineData
            if header.dataLength > 0 {
                guard
                    let own = try? JSONDecoder().decode(
                        [String: WyomingValue].self, from: Data(buffer[start..<dataEnd]))
                else { throw ProtocolError(code: .dataMalformed, message: "The event's data is not a JSON object.") }
                data.merge(own) { _, new in new }
            }
            let event = WyomingEvent(type: header.type, data: data, payload: Array(buffer[dataEnd..<end]))
            start = end
            state = .header(searched: 0)
            return event
        }
    }

    private func parse(header line: ArraySlice<UInt8>) throws(ProtocolError) -> Header {
        guard let fields = try? JSONDecoder().decode([String: WyomingValue].self, from: Data(line)),
            let type = fields["type"]?.string, !type.isEmpty
        else {
            throw ProtocolError(code: .headerMalformed, message: "The header line is not a JSON object with a type.")
        }
        let dataLength = try length("data_length", of: fields)
        let payloadLength = try length("payload_length", of: fields)
        guard dataLength <= limits.data else {
            throw ProtocolError(code: .dataTooLong, message: "The event's data is longer than \(limits.data) bytes.")
        }
        guard payloadLength <= limits.payload else {
            throw ProtocolError(
                code: .payloadTooLong, message: "The event's payload is longer than \(limits.payload) bytes.")
        }
        let inlineData: [String: WyomingValue]
        switch fields["data"] {
        case nil, .null: inlineData = [:]
        case .object(let object): inlineData = object
        default: throw ProtocolError(code: .headerMalformed, message: "The header's data is not a JSON object.")
        }
        return Header(type: type, inlineData: inlineData, dataLength: dataLength, payloadLength: payloadLength)
    }

    private func length(_ name: String, of fields: [String: WyomingValue]) throws(ProtocolError) -> Int {
        guard let value = fields[name], value != .null else { return 0 }
        guard let length = value.integer, length >= 0 else {
            throw ProtocolError(code: .headerMalformed, message: "The header's \(name) is not a length in bytes.")
        }
        return length
    }

    private static let headerTooLong = ProtocolError(
        code: .headerTooLong, message: "The header line does not end where it should; this is not the protocol.")
}
