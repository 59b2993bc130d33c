import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Tests/Support/Tools/faulty_engine.py says `something` at the end of whatever it hears.
@Suite("An engine that config.yaml names", .timeLimit(.minutes(2)))
struct ConfiguredEngineTests {
    @Test(
        "recognises dictations and files in its sandbox, is named by its file in records and diagnosis, and decides over choices"
    )
    func configured() async throws {
        let folder = try TemporaryFolder()
        let tools = Checkout.root.appending(path: "Tests/Support/Tools").path
        let file = try folder.write(
            """
            engine:
              command: [/usr/bin/python3, \(tools)/faulty_engine.py, hears words in silence]
              reads: [\(tools)]
            warmRecognizers: 0
            """, to: "config.yaml")
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, options: ["--configuration", file])
        try service.registerCurl()

        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        let started = try await dictation.line { StreamEvent($0)?.type == "started" }
        let session = try #require(StreamEvent(started)?.fields["session"] as? String)
        try await service.curl("/v1/dictation/\(session)/end", ["-X", "POST"]).end()
        await dictation.end()
        let events = dictation.lines.compactMap { StreamEvent($0) }
        #expect(events.filter { $0.type == "final" }.compactMap(\.text) == ["something"], "\(dictation.lines)")
        #expect(events.last?.reason == "ended", "\(dictation.lines)")

        let sound = try service.curl("/v1/audio/transcriptions", ["--data-binary", "@\(Programs.librivox("0880"))"])
        await sound.end()
        #expect(sound.lines.joined().contains(#""text":"something""#), "\(sound.lines)")

        let sessions = try await service.records().filter { $0.kind == "session.started" }
        #expect(sessions.count == 2)
        for record in sessions {
            #expect((record.fields["recognizer"] as? [String: Any])?["name"] as? String == "python3")
            #expect(record.text("engine") == nil, "it receives nothing outside of the service")
        }
        #expect(try await service.run(["doctor"]).output.joined().contains("python3 "))
        let other = try await service.run(["engine", "use", "pocketsphinx"])
        #expect(other.status == 77 && other.errors.contains("engine in config.yaml decides"), "\(other)")
    }
}
