import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Five sentences of one reader, three of them twice, which do for two minutes of reading: the same ones are learnt from
/// and tried, so that there is something to gain.
@Suite("voicegate enroll", .timeLimit(.minutes(10)))
struct EnrollCommandTests {
    private static let order = ["0890", "0920", "0880", "0930", "0920", "0890", "0930", "0880"]

    private func recordings(in folder: TemporaryFolder) throws -> [SpeechClip] {
        let all = try SpeechClip.librivox()
        let clips = try Self.order.map { name in try #require(all.first { $0.path.contains("-\(name)") }) }
        var table = ""
        for (number, clip) in clips.enumerated() {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/voice", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: clip.path, toPath: folder.path + "/voice/\(number).wav")
            table += "\(number)\t\(clip.words)\n"
        }
        try folder.write(table, to: "voice/transcripts.tsv")
        return clips
    }

    private func service(
        keeping: String?, _ microphones: VirtualMicrophoneConfiguration? = nil
    ) async throws -> (ServiceUnderTest, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let text = keeping.map { "keepVoiceProfile: \($0)\n" } ?? ""
        let configuration = try folder.write(text + "warmRecognizers: 0\n", to: "config.yaml")
        return (
            try await ServiceUnderTest(
                microphones, answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration]), folder
        )
    }

    private func profiles(_ service: ServiceUnderTest) async throws -> [[String: Any]] {
        let (status, output, errors) = try await service.run(["enroll", "--show", "--json"])
        #expect(status == 0, "\(errors)")
        let object = try JSONSerialization.jsonObject(with: Data((output.first ?? "").utf8)) as? [String: Any]
        return object?["profiles"] as? [[String: Any]] ?? []
    }

    @Test("no voice is learnt unless the configuration keeps it, and the command says what to set")
    func notWanted() async throws {
        let (service, folder) = try await service(keeping: nil)
        _ = try recordings(in: folder)
        let (status, output, errors) = try await service.run(["enroll", "--from", folder.path + "/voice"])
        #expect(status == 77 && output.isEmpty)
        #expect(errors.contains("keepVoiceProfile: untilWithdrawn") && errors.contains("config.yaml"), "\(errors)")
        #expect(try await !service.records().contains { $0.kind == "notice.shown" || $0.kind == "session.started" })
        #expect(service.keptFiles.isEmpty)
    }

    @Test("a voice is learnt from recordings, kept for one client, shown, used and erased for good")
    func fromRecordings() async throws {
        let (service, folder) = try await service(keeping: "P30D")
        let clips = try recordings(in: folder)
        let tried = try #require(clips.first { $0.path.contains("-0920") })
        let (status, output, errors) = try await service.run(["enroll", "--from", folder.path + "/voice"])
        #expect(status == 0, "\(errors)")
        #expect(output.count == 1 && output[0].contains("8 sentences, 35 s"), "\(output)")
        #expect(errors.contains("The voice profile helps and is kept"), "\(errors)")

        var records = try await service.records()
        let notice = try #require(records.first { $0.kind == "notice.shown" }?.text("notice"))
        #expect(notice.contains("VoiceGate keeps a profile of your voice for 30 days"), "\(notice)")
        let retained = try #require(records.first { $0.kind == "data.retained" })
        #expect(retained.text("dataKind") == "voiceProfile")
        #expect(retained.text("session") == records.first { $0.kind == "session.started" }?.text("session"))
        #expect(records.contains { $0.kind == "session.stopped" && $0.text("reason") == "ended" })
        // Nothing of the sound, nor of the matrix, can be read on the disk.
        let sound = try Data(contentsOf: URL(fileURLWithPath: tried.path)).dropFirst(40_000).prefix(256)
        #expect(service.keptFiles.count == 1)
        #expect(try service.stateFiles(holding: sound).isEmpty)
        #expect(try service.stateFiles(holding: Data("voicegate-mllr-1".utf8)).isEmpty)
        #expect(try await service.history().map { $0["kind"] as? String } == ["voiceProfile"])

        // It is used: the words of the same file come with other confidences.
        let profile = try #require(try await profiles(service).first)
        #expect(profile["client"] as? String == "io.voicegate.cli" && profile["fitsModel"] as? Bool == true)
        let with = try await service.run(["transcribe", tried.path, "--format", "json"]).output
        // Nobody else's: another client sees none.
        try service.registerCurl()
        let asking = try service.curl("/v1/voice-profile")
        await asking.end()
        #expect(asking.lines.joined().contains(#""profiles":[]"#), "\(asking.lines)")

        #expect(try await service.run(["enroll", "--remove"]).status == 0)
        #expect(service.keptFiles.isEmpty)
        records = try await service.records()
        #expect(records.last { $0.kind == "data.erased" }?.text("reason") == "requested")
        #expect(try await profiles(service).isEmpty)
        let without = try await service.run(["transcribe", tried.path, "--format", "json"]).output
        #expect(with != without, "what is erased is not heard with any more")
    }

    @Test("sentences come one by one, and are learnt from as they are read; withdrawing erases what was learnt")
    func reading() async throws {
        let folder = try TemporaryFolder()
        let clips = try recordings(in: folder)
        let pause = [Int16](repeating: 0, count: 32_000)
        let samples = try clips.flatMap { try $0.samples() + pause }
        let file = folder.path + "/reading.wav"
        try HumanSpeech.wav(samples, sampleRate: 16_000, channels: 1).write(to: URL(fileURLWithPath: file))
        var microphone = VirtualMicrophone(name: "mic", file: file)
        // On a busy machine the recogniser is slower than speech, and what it is too far behind with is lost.
        microphone.speed = 0.5
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["voiceProfile": "untilWithdrawn", "transcript": "P1D"])
        let body = try JSONSerialization.data(withJSONObject: ["sentences": clips.map(\.words)])
        let reading = try service.curl("/v1/voice-profile", ["-d", String(decoding: body, as: UTF8.self)])
        await reading.end()
        let events = try reading.lines.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let types = events.compactMap { $0["type"] as? String }
        #expect(types.first == "started" && types.last == "ended", "\(reading.lines)")
        #expect(types.count { $0 == "sentence" } >= clips.count)
        #expect(events.count { $0["outcome"] as? String == "read" } >= 7, "\(reading.lines)")
        let learnt = try #require(events.first { $0["type"] as? String == "learnt" }, "\(reading.lines)")
        #expect(learnt["kept"] as? Bool == true)
        // A profile alone: neither what was said nor how it sounded.
        #expect(try await service.history().map { $0["kind"] as? String } == ["voiceProfile"])
        let retained = try #require(try await service.records().first { $0.kind == "data.retained" })
        #expect(retained.text("until") == "untilWithdrawn")
        #expect(try await service.run(["reset", "microphone", "--client", "org.example.curl"]).status == 0)
        #expect(service.keptFiles.isEmpty)
        #expect(try await service.records().last { $0.kind == "data.erased" }?.text("reason") == "withdrawn")
    }

    @Test("Ctrl-C while it is read aloud ends it with exit code 130; the session ends and nothing is kept")
    func interrupted() async throws {
        let (service, folder) = try await service(
            keeping: "P1D",
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]))
        let enrolment = try service.atTerminal(["enroll"])
        try await enrolment.line { $0.hasPrefix("1/") }
        try enrolment.type("\u{3}")
        #expect(await enrolment.end() == 130, "\(enrolment.lines)")
        while try await !service.records().contains(where: { $0.kind == "session.stopped" }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(service.keptFiles.isEmpty)
        #expect(try await !service.records().contains { $0.kind == "data.retained" })
        withExtendedLifetime(folder) {}
    }

    @Test("a client whose manifest does not declare it, and a malformed body, are refused")
    func refused() async throws {
        let (service, folder) = try await service(keeping: "P1D")
        try service.registerCurl()
        let undeclared = try service.curl("/v1/voice-profile", ["-X", "POST"])
        await undeclared.end()
        #expect(undeclared.lines.joined().contains("Add voiceProfile to VoiceGateKeptByService"))
        try service.registerCurl(keeping: ["voiceProfile": "P1D"])
        for (body, word) in [
            (#"{"text":"go","sound":"bm8gc291bmQ="}"#, "at least 8"), ("no json", "Line 1"),
            (#"{"text":"go"}"#, "Line 1"),
        ] {
            let asked = try service.curl("/v1/voice-profile/recordings", ["--data-binary", body])
            await asked.end()
            #expect(asked.lines.joined().contains(word), "\(asked.lines)")
        }
        let few = try service.curl("/v1/voice-profile", ["-d", #"{"sentences":["one"]}"#])
        await few.end()
        #expect(few.lines.joined().contains("8 to 200"))
        let missing = try await service.run(["enroll", "--from", folder.path])
        #expect(missing.status == 66 && missing.errors.contains("transcripts.tsv"), "\(missing.errors)")
        #expect(service.keptFiles.isEmpty)
        #expect(try await !service.records().contains { $0.kind == "data.retained" })
    }
}
