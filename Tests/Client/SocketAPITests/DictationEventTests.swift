import Foundation
import SocketAPI
import Speech
import Testing

@Suite("The lines of a dictation's stream")
struct DictationEventTests {
    static let word = TranscribedWord(word: "go", start: 0.5, end: 0.75, confidence: 0.9)

    /// Every case, with the line it goes over the wire as.
    static let lines: [(DictationEvent, String)] = [
        (
            .started(session: "s", device: "default", grants: [.microphone: "m", .speechRecognition: "r"]),
            #"{"device":"default","grants":{"microphone":"m","speechRecognition":"r"},"session":"s","#
                + #""time":1.25,"type":"started"}"#
        ),
        (
            .started(session: "s", device: nil, grants: [.speechRecognition: "r"]),
            #"{"grants":{"speechRecognition":"r"},"session":"s","time":1.25,"type":"started"}"#
        ),
        (.speechStarted(at: 0.5), #"{"at":0.5,"time":1.25,"type":"speechStarted"}"#),
        (
            .partial(PartialTranscript(text: "go for", stablePrefix: 2)),
            #"{"stablePrefix":2,"stableText":"go","text":"go for","time":1.25,"type":"partial"}"#
        ),
        (
            .final(Transcript(text: "go", start: 0.5, end: 1, words: [word])),
            #"{"end":1,"start":0.5,"text":"go","time":1.25,"type":"final","#
                + #""words":[{"confidence":0.9,"end":0.75,"start":0.5,"word":"go"}]}"#
        ),
        (.sound([1, -2]), #"{"samples":"AQD+/w==","time":1.25,"type":"sound"}"#),
        (.level(-12.5), #"{"decibels":-12.5,"time":1.25,"type":"level"}"#),
        (.paused(reason: .suspended), #"{"reason":"suspended","time":1.25,"type":"paused"}"#),
        (.resumed(reason: .deviceLost), #"{"reason":"deviceLost","time":1.25,"type":"resumed"}"#),
        (
            .overrun(lostFrames: 480, cause: .suspended),
            #"{"cause":"suspended","lostFrames":480,"time":1.25,"type":"overrun"}"#
        ),
        (.overrun(lostFrames: 480), #"{"lostFrames":480,"time":1.25,"type":"overrun"}"#),
        (.noSound(decibels: -96), #"{"decibels":-96,"time":1.25,"type":"noSound"}"#),
        (
            .ended(.failed, message: "a/b \"c\""),
            #"{"message":"a/b \"c\"","reason":"failed","time":1.25,"type":"ended"}"#
        ),
        (.ended(.ended, message: nil), #"{"reason":"ended","time":1.25,"type":"ended"}"#),
    ]

    private func decode(_ line: String) throws -> TimedDictationEvent {
        try JSONCoding.decoder().decode(TimedDictationEvent.self, from: Data(line.utf8))
    }

    @Test("each line is encoded as documented, and decodes to the same event", arguments: lines)
    func roundTrip(_ event: DictationEvent, _ line: String) throws {
        let timed = TimedDictationEvent(time: 1.25, event: event)
        #expect(String(decoding: try JSONCoding.encoder().encode(timed), as: UTF8.self) == line)
        #expect(try decode(line) == timed)
    }

    @Test("every ending has a raw value", arguments: DictationEnding.allCases)
    func endings(_ ending: DictationEnding) throws {
        let line = #"{"reason":"\#(ending.rawValue)","time":0,"type":"ended"}"#
        #expect(try decode(line).event == .ended(ending, message: nil))
    }

    @Test("times are encoded in milliseconds")
    func time() throws {
        let event = TimedDictationEvent(time: 1.234_567, event: .speechStarted(at: 0))
        let line = String(decoding: try JSONCoding.encoder().encode(event), as: UTF8.self)
        #expect(line == #"{"at":0,"time":1.235,"type":"speechStarted"}"#)
    }

    @Test("a text with line breaks is encoded in one line")
    func oneLine() throws {
        let event = TimedDictationEvent(time: 0, event: .ended(.failed, message: "one\ntwo\u{2028}three"))
        #expect(try !JSONCoding.encoder().encode(event).contains(UInt8(ascii: "\n")))
    }

    @Test("a resource that only a later version knows is left out")
    func unknownResource() throws {
        let line = #"{"grants":{"camera":"c","microphone":"m"},"session":"s","time":0,"type":"started"}"#
        #expect(try decode(line).event == .started(session: "s", device: nil, grants: [.microphone: "m"]))
    }

    @Test(
        "a line that is not an event is refused",
        arguments: [
            #"{"time":0}"#, #"{"type":"speechStarted","at":1}"#, #"{"time":0,"type":"speechStarted"}"#,
            #"{"time":0,"type":"partial","text":"a"}"#, #"{"time":0,"type":"final","text":"a","start":0,"end":1}"#,
            #"{"time":0,"type":"paused","reason":"tired"}"#, #"{"time":0,"type":"ended","reason":"bored"}"#,
            #"{"time":0,"type":"overrun","lostFrames":0.5}"#, #"{"time":"0","type":"level","decibels":0}"#, "[]", "",
        ])
    func refused(_ line: String) { #expect(throws: DecodingError.self) { try decode(line) } }

    @Test("an event of a later version is unknown, which its readers skip")
    func unknown() { #expect(throws: UnknownEvent.self) { try decode(#"{"time":0,"type":"applause"}"#) } }
}
