import Speech

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
