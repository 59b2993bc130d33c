import Authorization
import Base
import Speech

/// Reads an untrusted event's data.
struct Fields {
    /// More than a year of audio at 16 kHz; exact in a double.
    static let latestPosition = 1 << 40
    /// The same in seconds.
    static let latestTime = Double(latestPosition) / 16_000

    let type: String
    let data: [String: WyomingValue]

    func string(_ name: String, limit: Int) throws(ProtocolError) -> String {
        guard let text = Self.text(data[name], limit: limit) else { throw bad(name) }
        return text
    }

    /// One of the names of an enumeration.
    func value<Value: RawRepresentable<String>>(_ name: String) throws(ProtocolError) -> Value {
        guard let value = data[name]?.string.flatMap(Value.init) else { throw bad(name) }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(ProtocolError) -> Double {
        guard let value = data[name]?.number, range.contains(value) else { throw bad(name) }
        return value
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(ProtocolError) -> Int {
        guard let value = data[name]?.integer, range.contains(value) else { throw bad(name) }
        return value
    }

    func time(_ name: String) throws(ProtocolError) -> Double {
        try number(name, in: 0...Self.latestTime)
    }

    func numberIfPresent(_ name: String, in range: ClosedRange<Double>) throws(ProtocolError) -> Double? {
        data[name] == nil ? nil : try number(name, in: range)
    }

    func timeIfPresent(_ name: String) throws(ProtocolError) -> Double? {
        data[name] == nil ? nil : try time(name)
    }

    /// - Parameter read: `nil` for an element that is refused.
    func list<Element>(
        _ name: String, most: Int, _ read: (WyomingValue) -> Element?
    ) throws(ProtocolError) -> [Element] {
        guard let values = data[name]?.array, values.count <= most else { throw bad(name) }
        let elements = values.compactMap(read)
        guard elements.count == values.count else { throw bad(name) }
        return elements
    }

    func objects(_ name: String, most: Int) throws(ProtocolError) -> [Fields] {
        try list(name, most: most) { $0.object.map { Fields(type: type, data: $0) } }
    }

    func strings(_ name: String, most: Int, limit: Int) throws(ProtocolError) -> [String] {
        try list(name, most: most) { Self.text($0, limit: limit) }
    }

    /// - Parameter codes: those that the sender may use.
    func error(among codes: Set<RecognitionError.Code>) throws(ProtocolError) -> RecognitionError {
        let code: RecognitionError.Code = try value("code")
        guard codes.contains(code) else { throw bad("code") }
        return RecognitionError(code: code, message: try string("text", limit: 1_000))
    }

    /// `nil` if there is none.
    func mean() throws(ProtocolError) -> CepstralMean? {
        guard data["mean"] != nil else { return nil }
        let values = try list("mean", most: CepstralMean.mostCoefficients) { $0.number.map(Float.init) }
        let frames = try integer("mean_frames", in: 1...CepstralMean.mostFrames)
        guard let mean = CepstralMean(values: values, frames: frames) else { throw bad("mean") }
        return mean
    }

    /// What an engine declares; names of tasks, inputs and options that do not exist here are of a later protocol and ignored.
    func capabilities() throws(ProtocolError) -> EngineCapabilities {
        EngineCapabilities(
            protocolVersion: data["protocol"] == nil ? 1 : try integer("protocol", in: 1...1_000),
            name: try text("name", EngineCapabilities.isName), version: try text("version", EngineCapabilities.isName),
            model: try text("model") {
                $0.utf8.count == 64 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            },
            languages: try names("languages", most: EngineCapabilities.mostLanguages) {
                SpokenLanguage(tag: $0) != nil
            },
            tasks: try names("tasks", most: 20).map { Set($0.compactMap(RecognitionTask.Kind.init)) },
            inputs: try names("inputs", most: 20).map { Set($0.compactMap(RecognitionConfiguration.Input.init)) },
            // An engine may have none of them.
            options: data["options"] == nil
                ? nil
                : Set(
                    try strings("options", most: 20, limit: EngineCapabilities.longestName).compactMap(
                        RecognitionOption.init)))
    }

    private func text(_ name: String, _ isValid: (String) -> Bool) throws(ProtocolError) -> String? {
        guard data[name] != nil else { return nil }
        let text = try string(name, limit: EngineCapabilities.longestName)
        guard isValid(text) else { throw bad(name) }
        return text
    }

    /// At least one; `nil` if the field is absent.
    private func names(
        _ name: String, most: Int, _ isValid: (String) -> Bool = { _ in true }
    ) throws(ProtocolError) -> [String]? {
        guard data[name] != nil else { return nil }
        let names = try strings(name, most: most, limit: EngineCapabilities.longestName)
        guard !names.isEmpty, names.allSatisfy(isValid) else { throw bad(name) }
        return names
    }

    func bad(_ name: String) -> ProtocolError {
        ProtocolError(code: .badField, message: "The field \(name) of \(type.prefix(40)) is missing or out of bounds.")
    }

    var unknownType: ProtocolError {
        ProtocolError(
            code: .unknownType, message: "There is no event of the type \(type.prefix(40)) in this direction.")
    }

    /// Text without control characters, of at most this many bytes.
    private static func text(_ value: WyomingValue?, limit: Int) -> String? {
        guard let text = value?.string, text.utf8.count <= limit,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { return nil }
        return text
    }
}

extension WyomingEvent {
    var fields: Fields { Fields(type: type, data: data) }

    init(_ error: RecognitionError) {
        self.init(type: "error", data: ["code": .string(error.code.rawValue), "text": .string(error.message)])
    }
}

extension EngineCapabilities {
    var fields: [String: WyomingValue] {
        var fields: [String: WyomingValue] = [:]
        if protocolVersion > 1 { fields["protocol"] = .integer(protocolVersion) }
        for (key, text) in [("name", name), ("version", version), ("model", model)] {
            fields[key] = text.map { .string($0) }
        }
        let lists = [
            ("languages", languages), ("tasks", tasks?.map(\.rawValue).sorted()),
            ("inputs", inputs?.map(\.rawValue).sorted()), ("options", options?.map(\.rawValue).sorted()),
        ]
        for (key, names) in lists { fields[key] = names.map { .array($0.map { .string($0) }) } }
        return fields
    }
}

extension CepstralMean {
    var fields: [String: WyomingValue] {
        ["mean": .array(values.map { .number(Double($0)) }), "mean_frames": .integer(frames)]
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
