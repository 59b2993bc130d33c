import Speech

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
                    "sentences": .number(Double(adaptation.gain.sentences)),
                    "words": .number(Double(adaptation.gain.words)),
                    "errors_before": .number(Double(adaptation.gain.errorsBefore)),
                    "errors_after": .number(Double(adaptation.gain.errorsAfter)),
                    "better": .number(Double(adaptation.gain.better)),
                    "worse": .number(Double(adaptation.gain.worse)),
                    "seconds": .number(adaptation.seconds),
                    "unused": .array(adaptation.unused.map { .object(["place": .number(Double($0))]) }),
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
