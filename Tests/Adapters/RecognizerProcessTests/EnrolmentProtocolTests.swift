import RecognizerProtocol
import Speech
import Testing

@Suite("The protocol between service and learning process")
struct EnrolmentProtocolTests {
    @Test(
        "requests survive encoding and decoding",
        arguments: [
            EnrolmentRequest.clip(text: "He said “no”.", input: .file), .clip(text: "a", input: .live),
            .piece([0, 1, 255]), .learn,
        ])
    func requests(_ request: EnrolmentRequest) throws { #expect(try EnrolmentRequest(request.event) == request) }

    @Test(
        "replies survive encoding and decoding",
        arguments: [
            EnrolmentReply.ready, .progress(0.25), .failed(EnrolmentError(code: .tooLittle, message: "Read more.")),
            .learnt(
                Adaptation(
                    transform: [49],
                    gain: AdaptationGain(
                        sentences: 9, words: 80, errorsBefore: 20, errorsAfter: 10, better: 5, worse: 1),
                    seconds: 61.5, unused: [0, 3])),
        ])
    func replies(_ reply: EnrolmentReply) throws { #expect(try EnrolmentReply(reply.event) == reply) }

    @Test("fields that are too long or out of bounds and unknown types are refused")
    func refused() {
        let events = [
            WyomingEvent(type: "piece", payload: [UInt8](repeating: 0, count: 65_537)),
            WyomingEvent(
                type: "clip", data: ["text": .string(String(repeating: "a", count: 5_000)), "input": .string("live")]),
            WyomingEvent(type: "clip", data: ["text": .string("a"), "input": .string("elsewhere")]),
            WyomingEvent(type: "start"),
        ]
        for event in events {
            #expect(throws: ProtocolError.self, "\(event.type)") { try EnrolmentRequest(event) }
        }
        let replies = [
            WyomingEvent(type: "progress", data: ["share": .number(1.5)]), WyomingEvent(type: "learnt"),
            WyomingEvent(type: "error", data: ["code": .string("other"), "text": .string("")]),
        ]
        for event in replies {
            #expect(throws: ProtocolError.self, "\(event.type)") { try EnrolmentReply(event) }
        }
    }
}
