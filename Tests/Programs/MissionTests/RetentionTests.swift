import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: what is kept", .timeLimit(.minutes(5)))
struct RetentionTests {
    private static let sentence = "go forward ten meters"

    private func service(answers: [String]? = ServiceUnderTest.yesToAll) async throws -> ServiceUnderTest {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]), answers: answers
        )
    }

    /// A dictation that ends by itself when the sentence was said.
    private func dictate(_ service: ServiceUnderTest) async throws -> [StreamEvent] {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        return dictation.lines.compactMap { StreamEvent($0) }
    }

    private func expectHeard(_ events: [StreamEvent]) {
        #expect(events.contains { $0.type == "final" && $0.text == Self.sentence }, "\(events)")
        #expect(events.last?.type == "ended")
    }

    /// Samples from the middle of the sentence.
    private var sound: Data {
        get throws { try Data(contentsOf: URL(fileURLWithPath: Programs.goForward)).dropFirst(40_000).prefix(256) }
    }

    @Test("C1 nothing is kept that the manifest does not declare: no file, no word on the disk, and history says so")
    func undeclared() async throws {
        let service = try await service()
        try service.registerCurl()
        expectHeard(try await dictate(service))
        #expect(service.keptFiles.isEmpty)
        #expect(try service.stateFiles(holding: Data("ten meters".utf8)).isEmpty)
        #expect(try await !service.records().contains { $0.kind.hasPrefix("data.") })
        let history = try await service.run(["history"])
        #expect(history.status == 0 && history.output.isEmpty)
        #expect(history.errors.contains("Nothing is kept, and no program's manifest declares"))
    }

    @Test("C1 declared and agreed data is kept, encrypted, only for the person, and linked to its session")
    func kept() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["transcript": "P30D", "recording": "P7D"])
        expectHeard(try await dictate(service))
        let records = try await service.records()
        let notice = try #require(records.first { $0.kind == "notice.shown" })
        #expect(notice.text("notice")?.contains("VoiceGate keeps the recognised text for 30 days") == true)
        #expect((notice.fields["keptByService"] as? [String: String])?["recording"] == "P7D")
        let session = try #require(records.first { $0.kind == "session.started" }?.text("session"))
        let retained = records.filter { $0.kind == "data.retained" }
        #expect(Set(retained.compactMap { $0.text("dataKind") }) == ["transcript", "recording"])
        #expect(retained.allSatisfy { $0.text("session") == session })
        let history = try await service.history()
        #expect(Set(history.compactMap { $0["item"] as? String }) == Set(retained.compactMap { $0.text("item") }))
        let transcript = try #require(history.first { $0["kind"] as? String == "transcript" })
        #expect(transcript["text"] as? String == Self.sentence)
        let recording = try #require(history.first { $0["kind"] as? String == "recording" }?["item"] as? String)
        let file = service.folder.path + "/recording.wav"
        #expect(try await service.run(["history", "export", recording, "--output", file]).status == 0)
        let sound = try sound
        let wave = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(wave.starts(with: Data("RIFF".utf8)) && wave.range(of: sound) != nil)
        try FileManager.default.removeItem(atPath: file)
        // On the disk nothing of it can be read.
        #expect(service.keptFiles.count == 2)
        #expect(try service.stateFiles(holding: Data("ten meters".utf8)).isEmpty)
        #expect(try service.stateFiles(holding: sound).isEmpty)
        // Nor does a fault of the service write it: with this limit the kernel writes no core dump, also not into a pipe.
        let limits = try String(contentsOfFile: "/proc/\(service.program.processIdentifier)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +1 +1 /#))
        // Nor by the client that heard it.
        let asking = try service.curl("/v1/history")
        await asking.end()
        #expect(asking.lines.joined().contains("notAllowed"))
        // Nor is it erased by that client, or by a command in the background.
        let erasing = try service.curl("/v1/history?all=true", ["-X", "DELETE"])
        await erasing.end()
        #expect(erasing.lines.joined().contains("notAllowed"))
        let background = try await service.run(["history", "erase", "--all"], isForeground: false)
        #expect(background.status == 77)
        #expect(background.errors.contains("foreground"), "\(background)")
        #expect(service.keptFiles.count == 2)
        #expect(try await service.run(["audit", "verify"]).status == 0)
    }

    @Test("C1 a grant given before the manifest declared retention does not permit it: the client is asked about first")
    func notAgreed() async throws {
        let service = try await service()
        try service.registerCurl()
        expectHeard(try await dictate(service))
        try service.registerCurl(keeping: ["transcript": "P30D"])
        let asking = try service.curl("/v1/authorization")
        await asking.end()
        #expect(asking.lines.joined().contains(#""speechRecognition":"notDetermined""#), "\(asking.lines)")
        #expect(service.keptFiles.isEmpty)
        expectHeard(try await dictate(service))
        #expect(service.keptFiles.count == 1)
        let shown = try #require(try await service.records().last { $0.kind == "notice.shown" })
        #expect(shown.fields["question"] as? String == "termsWidened")
    }

    @Test("C1 kept data is erased when its time ends, while the service runs")
    func ends() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["transcript": "PT2S", "recording": "P1D"])
        expectHeard(try await dictate(service))
        let records = try await service.records { $0.contains { $0.kind == "data.erased" } }
        let transcript = records.first { $0.kind == "data.retained" && $0.text("dataKind") == "transcript" }
        let erased = try #require(records.first { $0.kind == "data.erased" })
        #expect(erased.text("reason") == "retentionEnded")
        #expect(erased.fields["items"] as? [String] == transcript?.text("item").map { [$0] })
        #expect(service.keptFiles.count == 1)
        #expect(try await service.history().map { $0["kind"] as? String } == ["recording"])
    }

    @Test(
        "C1 data that expired while no service ran is erased when one starts, with a record",
        .enabled(if: TimeNamespace.isAvailable, "needs root and a kernel with time namespaces"))
    func endedMeanwhile() async throws {
        let first = try await service()
        try first.registerCurl(keeping: ["transcript": "P30D", "recording": "P1Y"])
        expectHeard(try await dictate(first))
        await first.stop()
        let early = try await ServiceUnderTest(continuing: first, within: TimeNamespace.command(daysLater: 29))
        #expect(try await early.history().count == 2)
        await early.stop()
        let late = try await ServiceUnderTest(continuing: first, within: TimeNamespace.command(daysLater: 31))
        #expect(try await late.history().map { $0["kind"] as? String } == ["recording"])
        #expect(late.keptFiles.count == 1)
        let erased = try await late.records().filter { $0.kind == "data.erased" }
        #expect(erased.map { $0.text("reason") } == ["retentionEnded"])
        #expect(try await late.run(["audit", "verify"]).status == 0)
    }

    @Test("C1 revoking a permission erases what was kept with it")
    func withdrawn() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["transcript": "untilWithdrawn", "recording": "P1Y"])
        expectHeard(try await dictate(service))
        #expect(service.keptFiles.count == 2)
        #expect(try await service.run(["reset", "microphone", "--client", "org.example.curl"]).status == 0)
        #expect(try await service.history().isEmpty)
        #expect(service.keptFiles.isEmpty)
        let records = try await service.records()
        let erased = records.filter { $0.kind == "data.erased" }
        #expect(erased.map { $0.text("reason") } == ["withdrawn"])
        #expect((erased.first?.fields["items"] as? [String])?.count == 2)
        let withdrawn = try #require(records.first { $0.kind == "decision.withdrawn" })
        #expect(withdrawn.index < erased.first?.index ?? -1)
    }

    @Test("C1 the person's own dictations are kept when the person says so in the configuration")
    func ownHistory() async throws {
        let microphones = try VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)])
        let folder = try TemporaryFolder()
        let configuration = try folder.write("keepTranscripts: P30D\nwarmRecognizers: 0\n", to: "config.yaml")
        let service = try await ServiceUnderTest(
            microphones, answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration])
        let dictation = try await service.run(["dictate", "--stop-after-silence", "0.5"])
        #expect(dictation.output == [Self.sentence], "\(dictation)")
        let notice = try #require(try await service.records().first { $0.kind == "notice.shown" }?.text("notice"))
        #expect(notice.contains("Kept: 30 days — VoiceGate keeps the recognised text for 30 days"))
        let history = try await service.run(["history"])
        #expect(history.output.contains("    " + Self.sentence), "\(history)")
        let item = try #require(try await service.history().first?["item"] as? String)
        #expect(try await service.run(["history", "show", String(item.prefix(8))]).output == [Self.sentence])
        #expect(try await service.run(["history", "erase", item]).status == 0)
        #expect(service.keptFiles.isEmpty)
        #expect(try await service.run(["history", "show", item]).status == 66)
        #expect(try await service.records().last?.text("reason") == "requested")
    }
}
