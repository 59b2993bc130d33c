import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: fidelity", .timeLimit(.minutes(5)))
struct FidelityTests {
    private static let phrase = "Go forward, ten meters!"
    /// Everything a client at reduced fidelity may get of a person who says other things.
    private static let innocent: Set<String> = ["started", "final", "ended", "overrun"]

    let folder: TemporaryFolder
    let speech: String

    init() throws {
        folder = try TemporaryFolder()
        // A sentence of a book, then a phrase: when the phrase is told, the sentence was recognised before it.
        var samples = try Data(contentsOf: URL(fileURLWithPath: Programs.librivox("0880"))).dropFirst(44)
        samples.append(Data(count: 3 * 32_000))
        samples.append(try Data(contentsOf: URL(fileURLWithPath: Programs.goForward)))
        speech = try folder.write(Data(samples), to: "speech.raw")
    }

    private func service(loops: Bool = true, waitingFor file: String? = nil) async throws -> ServiceUnderTest {
        var microphone = VirtualMicrophone(name: "mic", file: speech)
        // Speech that is missed the first time, on a busy machine, is played again.
        microphone.loops = loops
        microphone.waitForFile = file
        return try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]),
            answers: [
                #"{"client":"*","resource":"*","answer":"whileInUse"}"#,
                #"{"client":"*","resource":"*","question":"temporaryFullFidelity","answer":"once"}"#,
            ])
    }

    private func register(
        _ service: ServiceUnderTest, prefersReduced: Bool = true,
        phrases: [String] = [Self.phrase, "turn on the light"]
    ) throws {
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To obey you.</string>
            <key>NSMicrophoneUsageDescription</key><string>To hear you.</string>
            <key>VoiceGateRecipients</key><array/>
            <key>VoiceGatePhrases</key><array>\(phrases.map { "<string>\($0)</string>" }.joined())</array>
            <key>VoiceGateDefaultFidelityReduced</key><\(prefersReduced)/>
            <key>VoiceGateTemporaryFullFidelityUsageDescriptionDictionary</key><dict>
            <key>note</key><string>To write down a note word by word.</string></dict>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
    }

    /// Two requests of one process, one after the other.
    private func curl(
        _ service: ServiceUnderTest, _ calls: [(path: String, body: String)], isForeground: Bool = true
    ) throws -> RunningProgram {
        var arguments: [String] = [Programs.curl]
        for (index, call) in calls.enumerated() {
            arguments += index == 0 ? [] : ["--next"]
            arguments += [
                "-sN", "--unix-socket", service.socket, "-w", "\n%{http_code}\n", "http://voicegate\(call.path)", "-d",
                call.body,
            ]
        }
        return try RunningProgram(arguments, environment: service.environment, isForeground: isForeground)
    }

    private func events(_ program: RunningProgram) -> [StreamEvent] { program.lines.compactMap { StreamEvent($0) } }

    private func end(_ dictation: RunningProgram, _ service: ServiceUnderTest) async throws {
        let started = try await dictation.line(where: StreamEvent.isOf("started"))
        let session = try #require(StreamEvent(started)?.fields["session"] as? String)
        try await service.curl("/v1/dictation/\(session)/end", ["-X", "POST"]).end()
        await dictation.end()
    }

    @Test("A11 at reduced fidelity a client gets its phrases as it wrote them, and no event carries other words")
    func phrasesAlone() async throws {
        let service = try await service()
        try register(service)
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"level":true}"#])
        let line = try await dictation.line(where: StreamEvent.isOf("final"))
        try await end(dictation, service)
        let final = try #require(StreamEvent(line))
        #expect(final.text == Self.phrase)
        #expect((final.fields["words"] as? [Any])?.isEmpty == true)
        #expect(final.fields["start"] as? Double == 0 && final.fields["end"] as? Double == 0)
        #expect(Set(events(dictation).map(\.type)).isSubset(of: Self.innocent), "\(dictation.lines)")
        let finals = events(dictation).filter { $0.type == "final" }
        #expect(finals.allSatisfy { $0.text == Self.phrase })
        let text = dictation.lines.joined().lowercased()
        for word in ["disposed", "young", "was not", "confidence", "stable"] {
            #expect(!text.contains(word), "\(text)")
        }
        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""speechRecognitionGrant":{"fidelity":"reduced""#))
    }

    @Test("A11 a sound file gives its phrases alone, too")
    func file() async throws {
        let service = try await service()
        try register(service)
        let sound = try folder.write(
            HumanSpeech.wav(try HumanSpeech.samples(speech), sampleRate: 16_000, channels: 1), to: "speech.wav")
        let transcription = try service.curl(
            "/v1/audio/transcriptions", ["-H", "Accept: application/x-ndjson", "--data-binary", "@\(sound)"])
        #expect(await transcription.end() == 0)
        // How far the file was read says nothing of what is said in it.
        let told = events(transcription).map(\.type).filter { $0 != "progress" }
        #expect(told == ["started", "final", "ended"], "\(transcription.lines)")
        #expect(events(transcription).compactMap(\.text) == [Self.phrase])
    }

    @Test("A11 temporary full fidelity gives every word of one session, which the client reads, and ends with it")
    func temporaryFull() async throws {
        let service = try await service()
        try register(service)
        let ask = (path: "/v1/authorization/requests", body: "{}")
        let full = (path: "/v1/authorization/temporary-full-fidelity", body: #"{"purposeKey":"note"}"#)
        let listen = (path: "/v1/dictation", body: #"{"stopAfterSilence":1}"#)
        let program = try curl(service, [ask, full, ask, listen, ask, listen])
        try await program.line { StreamEvent($0)?.type == "final" && $0.contains("young") }
        // The second session of the same process is at reduced fidelity again: it hears the same sentence first.
        try await program.line { StreamEvent($0)?.text == Self.phrase }
        let texts = events(program).filter { $0.type == "final" }.compactMap(\.text)
        #expect(texts.last == Self.phrase)
        #expect(texts.dropLast().contains { $0.contains("young") })
        let second = try #require(events(program).lastIndex { $0.type == "started" })
        #expect(second > 0)
        #expect(Set(events(program)[second...].map(\.type)).isSubset(of: Self.innocent))
        #expect(!program.lines.contains("403"))
        let read = program.lines.compactMap {
            $0.firstMatch(of: /"speechRecognitionGrant":\{"fidelity":"(\w+)"/)?.output.1
        }
        #expect(read == ["reduced", "full", "full", "reduced"])
        let records = try await service.records()
        #expect(records.contains { $0.kind == "notice.shown" && $0.mentions("word by word") })
    }

    @Test("A11 temporary full fidelity is refused without the purpose's text, in the background, and when full already")
    func temporaryFullRefused() async throws {
        let service = try await service()
        try register(service)
        let path = "/v1/authorization/temporary-full-fidelity"
        let note = (path: path, body: #"{"purposeKey":"note"}"#)
        let first = try curl(service, [("/v1/authorization/requests", "{}"), (path, #"{"purposeKey":"other"}"#)])
        await first.end()
        #expect(first.lines.joined().contains(#""code":"missingPurpose""#))
        let background = try curl(service, [note], isForeground: false)
        await background.end()
        #expect(background.lines.joined().contains(#""code":"notInUse""#))
        let twice = try curl(service, [note, note])
        await twice.end()
        #expect(twice.lines.joined().contains(#""code":"alreadyFull""#))
        try await service.run(["settings", "org.example.curl", "--allow", "speechRecognition", "--fidelity", "full"])
        let full = try curl(service, [note])
        await full.end()
        #expect(full.lines.joined().contains(#""code":"alreadyFull""#))
        // One question about fidelity was put, and that was the one that could be answered.
        let notices = try await service.records().filter { $0.kind == "notice.shown" }
        #expect(notices.count { $0.mentions("word by word") } == 1)
    }

    @Test("A11 lowering in settings takes hold of a session that runs: its free text stops, its phrases come")
    func lowering() async throws {
        let spoken = folder.path + "/spoken"
        let service = try await service(waitingFor: spoken)
        try register(service, prefersReduced: false)
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"level":true}"#])
        try await dictation.line(where: StreamEvent.isOf("level"))
        try await service.run(["settings", "org.example.curl", "--allow", "speechRecognition", "--fidelity", "reduced"])
        let before = dictation.lines.count
        _ = FileManager.default.createFile(atPath: spoken, contents: nil)
        let line = try await dictation.line(where: StreamEvent.isOf("final"))
        #expect(StreamEvent(line)?.text == Self.phrase)
        try await end(dictation, service)
        let text = dictation.lines.joined().lowercased()
        for word in ["disposed", "young", "speechstarted", "partial"] { #expect(!text.contains(word), "\(text)") }
        // A level or two may have been on their way.
        let after = dictation.lines.dropFirst(before).compactMap { StreamEvent($0)?.type }
        #expect(Set(after.drop { $0 == "level" }).isSubset(of: Self.innocent), "\(after)")
    }

    @Test("A11 a client that has no phrases is refused at reduced fidelity, and the device stays closed")
    func noPhrases() async throws {
        let service = try await service()
        try register(service)
        try await service.curl("/v1/authorization/requests", ["-d", "{}"]).end()
        // Its manifest had phrases when it was allowed, and has none now.
        try register(service, prefersReduced: false, phrases: [])
        let settings = ["settings", "org.example.curl", "--allow", "speechRecognition", "--fidelity", "reduced"]
        #expect(try await service.run(settings).status == 64)
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        await dictation.end()
        #expect(dictation.lines.joined().contains(#""code":"reducedFidelity""#))
        #expect(try await !service.records().contains { $0.kind == "session.started" })
    }
}
