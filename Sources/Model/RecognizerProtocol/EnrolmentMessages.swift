import Speech

/// The service's messages to the voice learning process: for each recording `clip` and its `piece`s, then `learn`. Closing the
/// socket cancels.
public enum EnrolmentRequest: Sendable, Hashable {
    /// Begins a recording, of samples at 16 kHz mono or of a sound file.
    case clip(text: String, input: RecognitionConfiguration.Input)
    /// Samples have 16 bits, little-endian.
    case piece([UInt8])
    case learn
}

extension EnrolmentRequest {
    public static let largestPiece = 65_536

    public var event: WyomingEvent {
        switch self {
        case .clip(let text, let input):
            WyomingEvent(type: "clip", data: ["text": .string(text), "input": .string(input.rawValue)])
        case .piece(let bytes): WyomingEvent(type: "piece", payload: bytes)
        case .learn: WyomingEvent(type: "learn")
        }
    }

    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = Fields(event)
        switch event.type {
        case "clip":
            guard let input = RecognitionConfiguration.Input(rawValue: try fields.string("input", limit: 16)) else {
                throw fields.bad("input")
            }
            self = .clip(
                text: try fields.string("text", limit: 4 * EnrolmentClip.Bounds.longestText), input: input)
        case "piece":
            guard event.payload.count <= Self.largestPiece else { throw fields.bad("payload") }
            self = .piece(event.payload)
        case "learn": self = .learn
        default: throw fields.unknownType
        }
    }
}

/// The voice learning process's messages to the service.
public enum EnrolmentReply: Sendable, Hashable {
    /// The model is loaded and the process is sandboxed.
    case ready
    /// The share of the work that is done, 0…1.
    case progress(Double)
    /// The last reply, like `failed`.
    case learnt(Adaptation)
    case failed(EnrolmentError)
}

extension EnrolmentReply {
    private static let mostErrors: Int64 = 100_000

    public var event: WyomingEvent {
        switch self {
        case .ready: WyomingEvent(type: "ready")
        case .progress(let share): WyomingEvent(type: "progress", data: ["share": .number(share)])
        case .learnt(let adaptation):
            WyomingEvent(
                type: "learnt",
                data: [
                    "sentences": .integer(adaptation.gain.sentences),
                    "words": .integer(adaptation.gain.words),
                    "errors_before": .integer(adaptation.gain.errorsBefore),
                    "errors_after": .integer(adaptation.gain.errorsAfter),
                    "better": .integer(adaptation.gain.better),
                    "worse": .integer(adaptation.gain.worse),
                    "seconds": .number(adaptation.seconds),
                    "unused": .array(adaptation.unused.map { .object(["place": .integer($0)]) }),
                ], payload: adaptation.transform)
        case .failed(let error):
            WyomingEvent(
                type: "error", data: ["code": .string(error.code.rawValue), "text": .string(error.message)])
        }
    }

    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = Fields(event)
        switch event.type {
        case "ready": self = .ready
        case "progress": self = .progress(try fields.number("share", in: 0...1))
        case "learnt":
            guard !event.payload.isEmpty, event.payload.count <= SpeakerTransform.longest else {
                throw fields.bad("payload")
            }
            let most = Int64(EnrolmentClip.Bounds.mostClips)
            func count(_ name: String, _ limit: Int64) throws(ProtocolError) -> Int {
                Int(try fields.integer(name, in: 0...limit))
            }
            var unused: [Int] = []
            for entry in try fields.objects("unused", limit: EnrolmentClip.Bounds.mostClips) {
                unused.append(Int(try entry.integer("place", in: 0...most)))
            }
            self = .learnt(
                Adaptation(
                    transform: event.payload,
                    gain: AdaptationGain(
                        sentences: try count("sentences", most), words: try count("words", Self.mostErrors),
                        errorsBefore: try count("errors_before", Self.mostErrors),
                        errorsAfter: try count("errors_after", Self.mostErrors), better: try count("better", most),
                        worse: try count("worse", most)),
                    seconds: try fields.number("seconds", in: 0...EnrolmentClip.Bounds.longestTotal), unused: unused))
        case "error":
            guard let code = EnrolmentError.Code(rawValue: try fields.string("code", limit: 40)) else {
                throw fields.bad("code")
            }
            self = .failed(EnrolmentError(code: code, message: try fields.string("text", limit: 1_000)))
        default: throw fields.unknownType
        }
    }
}
