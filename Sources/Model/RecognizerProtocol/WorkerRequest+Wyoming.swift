import Speech

extension WorkerRequest {
    /// The longest piece of a sound file or of audio in one event, in bytes.
    public static let largestPiece = 65_536

    /// Wyoming's own types where it has them; `start` and `file-chunk` are ours.
    public var event: WyomingEvent {
        switch self {
        case .start(let configuration): Self.start(configuration)
        case .audio(let samples, let position):
            WyomingEvent(
                type: "audio-chunk",
                data: [
                    "rate": .number(Double(AudioFormat.recognition.sampleRate)), "width": .number(2),
                    "channels": .number(1), "position": .number(Double(position)),
                ],
                payload: samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        case .file(let bytes): WyomingEvent(type: "file-chunk", payload: bytes)
        case .finish: WyomingEvent(type: "audio-stop")
        }
    }

    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = Fields(event)
        switch event.type {
        case "start": self = .start(try Self.configuration(fields, payload: event.payload))
        case "audio-chunk":
            guard try fields.integer("rate", in: 1...1_000_000) == Int64(AudioFormat.recognition.sampleRate),
                try fields.integer("width", in: 1...8) == 2, try fields.integer("channels", in: 1...64) == 1
            else { throw fields.bad("rate, width or channels") }
            guard event.payload.count.isMultiple(of: 2), event.payload.count <= Self.largestPiece else {
                throw fields.bad("payload")
            }
            let samples = stride(from: 0, to: event.payload.count, by: 2).map {
                Int16(truncatingIfNeeded: UInt16(event.payload[$0]) | UInt16(event.payload[$0 + 1]) << 8)
            }
            self = .audio(samples: samples, position: try fields.integer("position", in: 0...Fields.latestPosition))
        case "file-chunk":
            guard event.payload.count <= Self.largestPiece else { throw fields.bad("payload") }
            self = .file(event.payload)
        case "audio-stop": self = .finish
        default: throw fields.unknownType
        }
    }
}
