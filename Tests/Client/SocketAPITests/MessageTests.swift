import Authorization
import Foundation
import SocketAPI
import Speech
import TestSupport
import Testing

@Suite("Requests and answers")
struct MessageTests {
    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self)
    }

    private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONCoding.decoder().decode(type, from: Data(text.utf8))
    }

    @Test(
        "a change of settings names a resource and a choice", arguments: Resource.allCases,
        SettingsChange.Choice.allCases)
    func settingsChange(_ resource: Resource, _ choice: SettingsChange.Choice) throws {
        let change = SettingsChange(resource: resource, choice: choice)
        let text = #"{"choice":"\#(choice.rawValue)","resource":"\#(resource.rawValue)"}"#
        #expect(try json(change) == text)
        #expect(try decode(text) == change)
    }

    @Test(
        "a change of settings with other values is refused",
        arguments: [
            #"{"choice":"maybe","resource":"microphone"}"#, #"{"choice":"allow","resource":"camera"}"#,
            #"{"choice":"allow"}"#, #"{"resource":"microphone"}"#,
        ])
    func refusedSettings(_ text: String) {
        #expect(throws: DecodingError.self) { try decode(text, as: SettingsChange.self) }
    }

    @Test("the events of a prompt survive encoding")
    func prompts() throws {
        let prompt = try #require(LedgerSamples.prompt)
        for event in [PromptEvent.listening, .shown(PromptOffer(prompt)), .withdrawn(cookie: "c")] {
            #expect(try decode(try json(event)) == event)
        }
        #expect(try json(PromptEvent.listening) == #"{"type":"listening"}"#)
        #expect(try json(PromptEvent.withdrawn(cookie: "c")) == #"{"cookie":"c","type":"withdrawn"}"#)
        #expect(throws: UnknownEvent.self) { try decode(#"{"type":"postponed"}"#, as: PromptEvent.self) }
    }

    @Test("an offer has the notice that is recorded, with its items in order")
    func offer() throws {
        let prompt = try #require(LedgerSamples.prompt)
        let offer = PromptOffer(prompt)
        #expect(offer.cookie == prompt.cookie)
        #expect(offer.client == prompt.requester.client.identifier.rawValue)
        #expect(offer.title == prompt.notice.title)
        #expect(offer.items.map(\.name) == ["Program", "Collected", "Purpose", "Kept", "Shared"])
        #expect(offer.items.first?.text == "/usr/bin/notes (from no package)")
        let lines =
            [offer.title, "Reason: “\(offer.usageDescription)”"]
            + offer.items.dropFirst().map { "\($0.name): \($0.text)" }
        #expect(lines.joined(separator: "\n") == prompt.notice.text)
    }

    @Test("every answer to a prompt decodes from its raw value only", arguments: Answer.allCases)
    func answers(_ answer: Answer) throws {
        #expect(try json(PromptAnswer(answer: answer)) == #"{"answer":"\#(answer.rawValue)"}"#)
        #expect(throws: DecodingError.self) { try decode(#"{"answer":"forever"}"#, as: PromptAnswer.self) }
    }

    @Test("an error has a code and a message, and no null fields")
    func plainError() throws {
        let reply = ErrorReply(code: ErrorCode.busy.rawValue, message: "Too many.")
        #expect(try json(reply) == #"{"error":{"code":"busy","message":"Too many."}}"#)
        #expect(try decode(try json(reply)) == reply)
        #expect("\(reply)" == "Too many.")
    }

    @Test("a refusal names the resource, the client, the status and the command that changes it")
    func refusal() throws {
        let error = AuthorizationError(
            code: .denied, status: .denied, resource: .microphone, client: Samples.identifier("org.example.Editor"),
            message: "No.", settings: "voicegate settings org.example.Editor --allow microphone")
        #expect(
            try json(ErrorReply(error))
                == #"{"error":{"client":"org.example.Editor","code":"denied","message":"No.","resource":"microphone","#
                + #""settings":"voicegate settings org.example.Editor --allow microphone","status":"denied"}}"#)
    }

    @Test("an empty object is a request with the defaults")
    func defaults() throws {
        #expect(try decode("{}") == DictationRequest())
        #expect(try decode("{}") == AuthorizationRequest())
        #expect(try json(DictationRequest()) == "{}")
    }

    @Test("a transcription's text leaves out empty utterances")
    func transcription() throws {
        func utterance(_ text: String) -> Transcript { Transcript(text: text, start: 0, end: 1, words: []) }
        let reply = TranscriptionReply(segments: [utterance("go"), utterance(""), utterance("forward")])
        #expect(reply.text == "go forward")
        #expect(reply.segments.count == 3)
        #expect(TranscriptionReply(segments: []).text.isEmpty)
        #expect(try decode(try json(reply)) == reply)
    }
}
