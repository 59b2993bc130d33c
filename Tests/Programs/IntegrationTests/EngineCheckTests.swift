import Foundation
import ProgramSupport
import TestSupport
import Testing

/// `Documentation/engine/check.py` with the engines that are here, and with a faulty one.
@Suite("The rules of the engine protocol", .timeLimit(.minutes(5)))
struct EngineCheckTests {
    /// - Returns: the script's exit code and its lines.
    private static func check(
        _ engine: [String], _ options: [String] = [], clip: SpeechClip? = try? SpeechClip.shortest(1).first
    ) async throws -> (status: Int32, lines: [String]) {
        let script = Checkout.root.appending(path: "Documentation/engine/check.py").path
        let recording = clip.map { ["--clip", $0.path, "--text", $0.words] } ?? []
        let program = try RunningProgram(
            ["/usr/bin/python3", script] + recording + options + ["--"] + engine,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], isForeground: false)
        try program.closeInput()
        return (await program.end(), program.lines + program.errorText.split(separator: "\n").map(String.init))
    }

    private static func keepsAll(_ engine: [String]) async throws {
        let folder = try TemporaryFolder()
        let spoken = SpeechClip.goForward
        let sound = try folder.write(
            HumanSpeech.wav(spoken.samples(), sampleRate: 16_000, channels: 1), to: "spoken.wav")
        let (status, lines) = try await check(engine, clip: SpeechClip(path: sound, words: spoken.words))
        #expect(status == 0 && lines.count == 14 && lines.allSatisfy { $0.hasPrefix("kept ") }, "\(lines)")
        withExtendedLifetime(folder) {}
    }

    @Test("PocketSphinx keeps each rule")
    func pocketSphinx() async throws {
        try await Self.keepsAll([
            Programs.folder + "/voicegate-recognizer", "--model", "/usr/share/pocketsphinx/model/en-us",
        ])
    }

    @Test(
        "the neural engine keeps each rule",
        .enabled(if: NeuralEngine.folder != nil, "Tests/Support/Tools/setup-engine could not download the engine."))
    func neural() async throws {
        try await Self.keepsAll([
            Programs.folder + "/voicegate-recognizer-onnx", "--model", try #require(NeuralEngine.folder),
        ])
    }

    @Test(
        "the Korean engine keeps each rule",
        .enabled(if: KoreanEngine.folder != nil, "Tests/Support/Tools/setup-engine could not download the engine."))
    func korean() async throws {
        let folder = try TemporaryFolder()
        let speech = try await KoreanEngine.speech("전화번호")
        let sound = try folder.write(
            HumanSpeech.wav(speech, sampleRate: 16_000, channels: 1), to: "spoken.wav")
        let engine = [Programs.folder + "/voicegate-recognizer-vosk", "--model", try #require(KoreanEngine.folder)]
        // As the model writes it.
        let (status, lines) = try await Self.check(engine, clip: SpeechClip(path: sound, words: "전화 번호"))
        #expect(status == 0 && lines.count == 14 && lines.allSatisfy { $0.hasPrefix("kept ") }, "\(lines)")
    }

    @Test("the example of the page keeps each rule in the sandbox")
    func example() async throws {
        let python = try await PythonTools.interpreter()
        let script = Checkout.root.appending(path: "Documentation/engine/pocketsphinx5.py").path
        let environment = URL(fileURLWithPath: python).deletingLastPathComponent().path + "/.."
        try await Self.keepsAll(EngineLauncherTests.lockedIn([python, script], reading: [environment, script]))
    }

    /// How an engine can be wrong, the rule that finds it, and nothing else about it.
    static let faults: [(fault: String, rule: String)] = [
        ("silent", "greets"), ("talks before it is asked", "greets"), ("declares nonsense", "greets"),
        ("hears words in silence", "silence"), ("counts wrong", "silence"), ("never tells", "progress"),
        ("answers nonsense", "nonsense"), ("takes anything for sound", "text-file"), ("takes any task", "declaration"),
        ("outlives its socket", "ends"), ("tells everything", "phrases"),
    ]

    @Test("an engine that breaks a rule is detected, with what it did", arguments: faults)
    func broken(fault: String, rule: String) async throws {
        let engine = ["/usr/bin/python3", Checkout.root.appending(path: "Tests/Support/Tools/faulty_engine.py").path]
        let (status, lines) = try await Self.check(engine + [fault], ["--rule", rule, "--limit", "5"])
        #expect(status == 65 && lines.count == 2, "\(lines)")
        #expect(lines.first?.hasPrefix("BROKEN     \(rule) ") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("           ") == true, "\(lines)")
        let sound = try await Self.check(engine + ["none"], ["--rule", rule])
        #expect(sound.status == 0, "the fault is not what was found: \(sound.lines)")
    }

    @Test("without a recording the rules of speech are skipped; a command that cannot be started breaks the others")
    func missing() async throws {
        let (status, lines) = try await Self.check(["/nonexistent/engine"], clip: nil)
        #expect(status == 65 && lines.count { $0.contains("cannot be started") } == 8, "\(lines)")
        #expect(lines.contains { $0.contains("/nonexistent/engine") })
        #expect(lines.count { $0.hasPrefix("not tried  ") } == 6, "\(lines)")
    }

    @Test("wrong arguments are 64, and a recording of another form is 66, with what to supply")
    func arguments() async throws {
        #expect(try await Self.check(["/usr/bin/true"], ["--rule", "other"]).status == 64)
        #expect(try await Self.check(["/usr/bin/true"], ["--text", "words"], clip: nil).status == 64)
        let raw = SpeechClip(path: Programs.goForward, words: "go forward")
        let (status, lines) = try await Self.check(["/usr/bin/true"], clip: raw)
        #expect(status == 66 && lines.last?.contains("16 kHz") == true, "\(lines)")
    }
}
