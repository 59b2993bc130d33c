import Authorization

/// Reads an untrusted event's data.
struct Fields {
    /// More than a year of audio at 16 kHz; exact in a double.
    static let latestPosition: Int64 = 1 << 40
    /// The same in seconds.
    static let latestTime = Double(latestPosition) / 16_000

    private let type: String
    private let data: [String: WyomingValue]

    init(_ event: WyomingEvent) {
        self.init(type: event.type, data: event.data)
    }

    init(type: String, data: [String: WyomingValue]) {
        self.type = type
        self.data = data
    }

    func string(_ name: String, limit: Int) throws(ProtocolError) -> String {
        guard let value = data[name]?.string, value.utf8.count <= limit, Self.isPlain(value) else { throw bad(name) }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(ProtocolError) -> Double {
        guard let value = data[name]?.number, range.contains(value) else { throw bad(name) }
        return value
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(ProtocolError) -> Int64 {
        guard let value = data[name]?.integer, range.contains(Int64(value)) else { throw bad(name) }
        return Int64(value)
    }

    func time(_ name: String) throws(ProtocolError) -> Double {
        try number(name, in: 0...Self.latestTime)
    }

    func timeIfPresent(_ name: String) throws(ProtocolError) -> Double? {
        data[name] == nil ? nil : try time(name)
    }

    func objects(_ name: String, limit: Int) throws(ProtocolError) -> [Fields] {
        guard let values = data[name]?.array, values.count <= limit else { throw bad(name) }
        var result: [Fields] = []
        for value in values {
            guard let object = value.object else { throw bad(name) }
            result.append(Fields(type: type, data: object))
        }
        return result
    }

    func strings(_ name: String, most: Int, limit: Int) throws(ProtocolError) -> [String] {
        guard let values = data[name]?.array, values.count <= most else { throw bad(name) }
        var result: [String] = []
        for value in values {
            guard let text = value.string, text.utf8.count <= limit, Self.isPlain(text) else { throw bad(name) }
            result.append(text)
        }
        return result
    }

    /// Finite floats; `nil` if the field is absent.
    func floats(_ name: String, most: Int) throws(ProtocolError) -> [Float]? {
        guard let field = data[name] else { return nil }
        guard let values = field.array, values.count <= most else { throw bad(name) }
        var result: [Float] = []
        for value in values {
            guard let number = value.number.map(Float.init), number.isFinite else { throw bad(name) }
            result.append(number)
        }
        return result
    }

    func bad(_ name: String) -> ProtocolError {
        ProtocolError(code: .badField, message: "The field \(name) of \(type.prefix(40)) is missing or out of bounds.")
    }

    var unknownType: ProtocolError {
        ProtocolError(
            code: .unknownType, message: "There is no event of the type \(type.prefix(40)) in this direction.")
    }

    /// Without control characters.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}

/// Why an event cannot be decoded, sent or accepted.
public typealias ProtocolError = CodedError<ProtocolErrorCode>

public enum ProtocolErrorCode: String, Sendable, Hashable, CaseIterable {
    case headerTooLong
    case headerMalformed
    case dataTooLong
    case dataMalformed
    case payloadTooLong
    /// After an earlier error the beginning of the next event is unknown.
    case outOfStep
    /// A type that does not exist in this direction.
    case unknownType
    /// A field is missing, of another type, or out of its bounds.
    case badField
    /// Valid, but not at this point of the conversation.
    case unexpected
}
