import Speech

/// The service's messages to the voice learning process: for each recording `clip` and its `piece`s, then `learn`. Closing the
/// socket cancels.
public enum EnrolmentRequest: WyomingMessage, Hashable {
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
        let fields = event.fields
        switch event.type {
        case "clip":
            let input: RecognitionConfiguration.Input = try fields.value("input")
            self = .clip(text: try fields.string("text", limit: 4 * EnrolmentClip.Bounds.longestText), input: input)
        case "piece":
            guard event.payload.count <= Self.largestPiece else { throw fields.bad("payload") }
            self = .piece(event.payload)
        case "learn": self = .learn
        default: throw fields.unknownType
        }
    }
}

/// The voice learning process's messages to the service.
public enum EnrolmentReply: WyomingMessage, Hashable {
    /// The model is loaded and the process is sandboxed.
    case ready
    /// The share of the work that is done, 0…1.
    case progress(Double)
    /// The last reply, like `failed`.
    case learnt(Adaptation)
    case failed(EnrolmentError)
}

extension EnrolmentReply {
    private static let mostErrors = 100_000

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
        case .failed(let error): WyomingEvent(error)
        }
    }

    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = event.fields
        switch event.type {
        case "ready": self = .ready
        case "progress": self = .progress(try fields.number("share", in: 0...1))
        case "learnt":
            guard !event.payload.isEmpty, event.payload.count <= SpeakerTransform.longest else {
                throw fields.bad("payload")
            }
            let most = EnrolmentClip.Bounds.mostClips
            let gain = AdaptationGain(
                sentences: try fields.integer("sentences", in: 0...most),
                words: try fields.integer("words", in: 0...Self.mostErrors),
                errorsBefore: try fields.integer("errors_before", in: 0...Self.mostErrors),
                errorsAfter: try fields.integer("errors_after", in: 0...Self.mostErrors),
                better: try fields.integer("better", in: 0...most), worse: try fields.integer("worse", in: 0...most))
            let unused = try fields.objects("unused", most: most).map { (entry) throws(ProtocolError) in
                try entry.integer("place", in: 0...most)
            }
            self = .learnt(
                Adaptation(
                    transform: event.payload, gain: gain,
                    seconds: try fields.number("seconds", in: 0...EnrolmentClip.Bounds.longestTotal), unused: unused))
        case "error": self = .failed(try fields.error(among: Set(EnrolmentError.Code.allCases)))
        default: throw fields.unknownType
        }
    }
}
