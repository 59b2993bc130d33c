import Authorization
import Foundation
import Speech
import TestSupport
import Testing

@testable import SocketAPI
@testable import VoiceGateClient

/// The library has its own types, so that a program stays as it is when the service changes. Here those that are not written from
/// the description are held against those of the service.
@Suite("The library and the service")
struct ContractTests {
    /// What the library reads of what the service writes.
    private func read<Value: Decodable>(_ value: some Encodable, as type: Value.Type) throws -> Value {
        try JSONCoding.decoder().decode(Value.self, from: JSONCoding.encoder().encode(value))
    }

    @Test("the library reads each event that the service writes")
    func events() throws {
        let transcript = Speech.Transcript(
            text: "a", start: 1, end: 2, words: [.init(word: "a", start: 1, end: 2, confidence: 0.5)],
            alternatives: ["b"], noisyDecibels: 12)
        let pairs: [(Speech.DictationEvent, VoiceGateClient.DictationEvent)] = [
            (
                .started(session: "s", device: nil, grants: [.microphone: "g"]),
                .started(session: "s", device: nil, grants: [.microphone: "g"])
            ),
            (.speechStarted(at: 1), .speechStarted(at: 1)),
            (.partial(.init(text: "é a", stablePrefix: 2)), .partial(.init(text: "é a", stableText: "é"))),
            (
                .final(transcript),
                .final(
                    .init(
                        text: "a", start: 1, end: 2, words: [.init(word: "a", start: 1, end: 2, confidence: 0.5)],
                        alternatives: ["b"], noisyDecibels: 12))
            ),
            (.progress(seconds: 1, duration: 2), .progress(seconds: 1, duration: 2)), (.level(-20), .level(-20)),
            (.paused(reason: .background), .paused(.background)),
            (.resumed(reason: .background), .resumed(.background)), (.overrun(lostFrames: 3), .overrun(lostFrames: 3)),
            (.noSound(decibels: -96), .noSound(decibels: -96)),
            (.ended(.silence, message: "m"), .ended(.silence, message: "m")),
        ]
        for (written, expected) in pairs {
            let event = try read(
                Speech.TimedDictationEvent(time: 1.5, event: written), as: VoiceGateClient.TimedDictationEvent.self)
            #expect(event == VoiceGateClient.TimedDictationEvent(time: 1.5, event: expected))
        }
        guard case .partial(let partial) = pairs[2].1 else { return }
        #expect(partial.stableText == "é")
    }

    @Test("the library reads the permissions that the service writes")
    func permissions() throws {
        let grant = AuthorizationReply.Grant(scope: .always, fidelity: .reduced)
        let reply = AuthorizationReply(
            client: "a.b", name: "A", speechRecognition: .authorized, microphone: .restricted, muted: true,
            speechRecognitionGrant: grant, problems: ["p"])
        let states: [VoiceGateClient.Resource: VoiceGateClient.ResourceState] = [
            .speechRecognition: .init(status: .authorized, grant: .init(scope: .always, fidelity: .reduced)),
            .microphone: .init(status: .restricted),
        ]
        let expected = Permissions(client: "a.b", name: "A", states: states, isMuted: true, problems: ["p"])
        #expect(try read(reply, as: Permissions.self) == expected)
        let pairs: [(AuthorizationEvent, PermissionEvent)] = [
            (.state(cursor: "1", reply, resources: [:]), .state(expected, cursor: "1")),
            (.resumed(cursor: "1"), .resumed(cursor: "1")),
            (
                .changed(cursor: "2", muted: true, changed: [.microphone: .init(status: .restricted)]),
                .changed([.microphone: .init(status: .restricted)], isMuted: true, cursor: "2")
            ),
            (.gap, .gap),
        ]
        for (written, expected) in pairs { #expect(try read(written, as: PermissionEvent.self) == expected) }
    }

    @Test("a file with hints has the media type that the service reads")
    func hints() { #expect(VoiceGateService.hintsMediaType == TranscriptionRequest.mediaType) }

    @Test("a program that a monitor started reads why from its environment")
    func launch() {
        let monitor = MonitorRegistration(
            identifier: "m", user: 1000, client: Samples.identifier("a.b"), kind: .keyPhrase("wake up"), action: .start)
        let launch = MonitorLaunch(
            events: [1, 3].map {
                SocketAPI.MonitorEvent(.triggered, of: monitor, time: Date(timeIntervalSince1970: $0))
            })
        let events = VoiceGateClient.MonitorEvent.launching(environment: launch.environment)
        #expect(events.map { $0.time.timeIntervalSince1970 } == [1, 3])
        #expect(events.last?.kind == .keyPhrase)
        #expect(events.last?.phrase == "wake up")
        #expect(VoiceGateClient.MonitorEvent.launching(environment: ["HOME": "/"]) == [])
    }

    @Test("the library calls what programs may call, and nothing that only VoiceGate's own command may")
    func callers() throws {
        let sources = Checkout.root.appending(path: "Sources")
        let description = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: sources.appending(path: "Service/Server/OpenAPI/openapi.json")))
                as? [String: Any])
        let paths = try #require(description["paths"] as? [String: [String: Any]])
        var permitted: [String: Bool] = [:]
        for (path, operations) in paths {
            for (method, operation) in operations {
                guard let callers = (operation as? [String: Any])?["x-caller"] as? [String] else { continue }
                permitted[method + path.replacing(/{[^}]*}/, with: "*")] = !Set(callers).isDisjoint(
                    with: ["client", "process"])
            }
        }
        let code = try String(
            contentsOf: sources.appending(path: "Client/VoiceGateClient/VoiceGateService.swift"), encoding: .utf8)
        var called: Set<String> = []
        for call in code.matches(of: /(?:\.([A-Z]+), |uri\(|to: )"(\/v1\/(?:[^"\\]|\\\([^)]*\)+)*)"/) {
            let path = String(call.2).replacing(/\\\([^\/]*\)/, with: "*")
            called.insert((call.1.map { $0.lowercased() } ?? "post") + path)
        }
        #expect(called.count >= 18)
        for call in called { #expect(permitted[call] == true, "\(call)") }
    }
}
