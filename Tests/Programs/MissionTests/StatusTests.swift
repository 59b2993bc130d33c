import Authorization
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: statuses", .timeLimit(.minutes(5)))
struct StatusTests {
    /// One command each, as a person types it.
    private static let commands: [(status: AuthorizationStatus, words: [String])] = [
        (.denied, ["settings", "org.example.curl", "--deny", "microphone"]),
        (.authorized, ["settings", "org.example.curl", "--allow", "microphone"]),
        (.notDetermined, ["settings", "org.example.curl", "--ask", "microphone"]),
        (.restricted, ["mute"]),
    ]

    private func statuses(_ service: ServiceUnderTest) async throws -> [String: String] {
        let answer = try service.curl("/v1/authorization")
        await answer.end()
        let object = try JSONSerialization.jsonObject(with: Data(answer.lines.joined().utf8)) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
    }

    @Test("A1 the four statuses as Apple spells them, for each resource by itself, for each client by itself")
    func fourStatuses() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        var seen: Set<String> = []
        for (status, words) in Self.commands {
            #expect(try await service.run(words).status == 0)
            let statuses = try await statuses(service)
            #expect(statuses["client"] == "org.example.curl")
            #expect(statuses["microphone"] == status.rawValue)
            if status != .restricted { #expect(statuses["speechRecognition"] == "notDetermined") }
            seen.insert(try #require(statuses["microphone"]))
        }
        #expect(seen == ["notDetermined", "restricted", "denied", "authorized"])
        #expect(try await service.run(["unmute"]).status == 0)
        #expect(try await service.run(["settings", "org.example.curl", "--deny", "microphone"]).status == 0)
        let own = try await service.run(["status", "--json"]).output.joined()
        #expect(own.contains(#""microphone":"notDetermined""#), "another client's denial does not apply to this one")
    }

    @Test("E3 every status can be put in place by one command, and is what a session of the program then meets")
    func eachInPlace() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: HumanSpeech.goForward)]))
        try service.registerCurl()
        let speech = ["settings", "org.example.curl", "--allow", "speechRecognition"]
        #expect(try await service.run(speech).status == 0)
        for (status, words) in Self.commands {
            #expect(try await service.run(words).status == 0)
            let session = try service.curl("/v1/dictation", ["-d", #"{"device":"mic","ask":false}"#])
            let line = try await session.line { !$0.isEmpty }
            switch status {
            case .authorized: #expect(StreamEvent(line)?.type == "started")
            case .denied: #expect(line.contains(#""code":"denied""#))
            case .restricted: #expect(line.contains(#""code":"muted""#))
            case .notDetermined: #expect(line.contains(#""code":"notDetermined""#))
            }
            session.signal(SIGTERM)
            await session.end()
        }
    }

    @Test(
        "B6 in each status the command line says what it is and what to do; it exits with 77, and the code names the status"
    )
    func commandLineInEachStatus() async throws {
        let service = try await ServiceUnderTest(VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic")]))
        let client = "io.voicegate.cli"
        let cases: [(words: [[String]], code: String, says: String)] = [
            ([], "noAnswer", "voicegate settings io.voicegate.cli --allow"),
            ([["settings", client, "--deny", "speechRecognition"]], "denied", "You did not allow"),
            (
                [["settings", client, "--allow", "speechRecognition"], ["settings", client, "--deny", "microphone"]],
                "denied", "the microphone"
            ),
            ([["mute"]], "muted", "voicegate unmute"),
        ]
        for (words, code, says) in cases {
            for command in words { #expect(try await service.run(command).status == 0) }
            let plain = try await service.run(["dictate"])
            #expect(plain.status == 77)
            #expect(plain.errors.contains(says), "\(plain.errors)")
            let json = try await service.run(["dictate", "--json"])
            #expect(json.status == 77)
            #expect((json.output.joined() + json.errors).contains(#""code":"\#(code)""#), "\(json)")
        }
        _ = try await service.run(["unmute"])
        try service.folder.write("deny:\n  - resource: all\n    reason: Not here.\n", to: "policy.d/all.yaml")
        let changes = try service.curl("/v1/authorization/changes")
        try await changes.line { $0.contains(#""status":"restricted""#) }
        changes.signal(SIGTERM)
        let restricted = try await service.run(["dictate", "--json"])
        #expect(restricted.status == 77)
        #expect((restricted.output.joined() + restricted.errors).contains(#""code":"restricted""#))
    }

    @Test("B7 a client without speech recognition reads only its own status and history")
    func ownHistory() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        for client in ["org.example.curl", "io.voicegate.cli"] {
            #expect(try await service.run(["settings", client, "--deny", "speechRecognition"]).status == 0)
        }
        let history = try service.curl("/v1/audit/records")
        await history.end()
        let records = try history.lines.map { try Record(line: $0) }
        #expect(records.map(\.kind) == ["decision.denied"])
        #expect(records.first?.text("client") == "org.example.curl")
        let others = try service.curl("/v1/audit/records?client=io.voicegate.cli")
        await others.end()
        #expect(others.lines.joined().contains(#""code":"notAllowed""#))
    }
}
