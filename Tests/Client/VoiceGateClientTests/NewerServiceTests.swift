import Foundation
import TestSupport
import Testing

@testable import VoiceGateClient

/// A program is linked with this library once, and the service is upgraded without it.
@Suite("A service that is newer than the library", .timeLimit(.minutes(1)))
struct NewerServiceTests {
    /// A service that answers each request with this.
    private func service(_ answer: String) throws -> (VoiceGateService, ScriptedServer) {
        let server = try ScriptedServer.answering(answer)
        return (VoiceGateService(socketPath: server.path), server)
    }

    private func stream(_ lines: String...) throws -> (VoiceGateService, ScriptedServer) {
        let server = try ScriptedServer { _, connection in
            connection.sendHead()
            for line in lines { connection.sendLine(line) }
            connection.sendEnd()
        }
        return (VoiceGateService(socketPath: server.path), server)
    }

    private func all<Element>(_ stream: EventStream<Element>) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in stream { elements.append(element) }
        return elements
    }

    @Test("events of unknown types are skipped, and unknown fields and words do not end a dictation")
    func dictation() async throws {
        let (service, server) = try stream(
            #"{"type":"warming","time":0}"#,
            #"{"type":"started","time":0,"session":"a","device":"mic","grants":{"camera":"x","microphone":"y"},"new":1}"#,
            #"{"type":"speaker","time":1,"name":{"first":"A"}}"#,
            #"{"type":"paused","time":1,"reason":"asleep"}"#,
            #"{"type":"partial","time":1,"text":"a b","stableText":"a"}"#,
            #"{"type":"final","time":2,"text":"a","start":0,"end":1,"speaker":2}"#,
            #"{"type":"ended","time":3,"reason":"curfew","message":"It is late."}"#)
        #expect(
            try await all(service.dictate()).map(\.event) == [
                .started(session: "a", device: "mic", grants: [.microphone: "y"]),
                .paused(PauseReason(rawValue: "asleep")), .partial(PartialTranscript(text: "a b", stableText: "a")),
                .final(Transcript(text: "a", start: 0, end: 1)),
                .ended(DictationEnding(rawValue: "curfew"), message: "It is late."),
            ])
        #expect(server.requests.count == 1)
    }

    @Test("an unknown status is not authorized, and an unknown scope or fidelity is kept as it is")
    func permissions() async throws {
        let (service, _) = try service(
            #"{"client":"a.b","name":"A","speechRecognition":"limited","microphone":"authorized","muted":false,"#
                + #""microphoneGrant":{"scope":"untilSunset","fidelity":"half","new":true},"new":[]}"#)
        let permissions = try await service.permissions()
        #expect(permissions.status(of: .speechRecognition) == .denied)
        #expect(
            permissions.states[.microphone]
                == ResourceState(
                    status: .authorized,
                    grant: .init(scope: Scope(rawValue: "untilSunset"), fidelity: Fidelity(rawValue: "half"))))
    }

    @Test("events of permissions and monitors are skipped if their type is unknown")
    func streams() async throws {
        let (permissions, _) = try stream(
            #"{"type":"heartbeat"}"#, #"{"type":"resumed","cursor":"L:1","new":1}"#, #"{"type":"gap"}"#)
        #expect(try await all(permissions.permissionEvents()) == [.resumed(cursor: "L:1"), .gap])
        let (monitors, _) = try stream(
            #"{"event":"e","type":"dozed","time":"2026-11-23T12:00:00Z","monitor":"m","kind":"clap","new":1}"#)
        let event = try #require(try await all(monitors.monitorEvents()).first)
        #expect(event.type.rawValue == "dozed")
        #expect(event.kind.rawValue == "clap")
        #expect(event.time == Date(timeIntervalSince1970: 1_795_435_200))
    }

    @Test("an event that is not JSON, or lacks a required field, is an error and not skipped")
    func broken() async throws {
        for line in ["{", "{}", #"{"type":"ended","time":1}"#, #"{"type":7}"#] {
            let (service, _) = try stream(line)
            #expect(await failure(ClientError.self) { try await all(service.dictate()) }?.code == .protocolViolation)
        }
    }

    @Test("lists and states have unknown fields and words")
    func lists() async throws {
        let (monitors, _) = try service(
            #"{"monitors":[{"monitor":"m","client":"a.b","kind":"clap","action":"wave","repeats":true,"#
                + #""state":"napping","reason":"curfew","failures":0,"new":{}}],"next":"c"}"#)
        let monitor = try #require(try await monitors.monitors().first)
        #expect(monitor.state.rawValue == "napping")
        #expect(monitor.reason == Refusal.Reason(rawValue: "curfew"))
        let (indicator, _) = try service(
            #"{"sessions":[{"session":"s","client":"a.b","name":"A","resources":["camera"],"processIdentifier":1,"#
                + #""presence":"nearby","paused":false,"phase":"soon","startedAt":"2026-11-23T12:00:00.000Z","#
                + #""sharing":"maybe"}],"muted":false,"new":1}"#)
        #expect(try await indicator.indicator().sessions.map(\.name) == ["A"])
        let (dictations, _) = try service(
            #"{"sessions":[{"session":"s","client":"a.b","device":"d","startedAt":"2026-11-23T12:00:00.000Z","#
                + #""paused":["asleep"],"isEnding":false,"new":1}]}"#)
        #expect(try await dictations.runningDictations().first?.paused == [PauseReason(rawValue: "asleep")])
        let (health, _) = try service(#"{"version":"9","mode":"relaxed","muted":false,"log":"odd","new":1}"#)
        #expect(try await health.health().version == "9")
        let (records, _) = try stream(
            #"{"index":7,"kind":"new.kind","time":"2026-11-23T12:00:00.000Z","fields":{"a":[1]},"isErased":false,"new":1}"#
        )
        #expect(try await all(records.consentRecords(limit: 1)).map(\.kind) == ["new.kind"])
    }
}
