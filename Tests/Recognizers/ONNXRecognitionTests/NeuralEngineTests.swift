import Foundation
import Speech
import TestSupport
import Testing

@testable import EngineConformance

/// The engine's folder: `VOICEGATE_TEST_ENGINE`, or what `Tests/Support/Tools/setup-engine` has made.
private let engine: String? = {
    let folder =
        ProcessInfo.processInfo.environment["VOICEGATE_TEST_ENGINE"]
        ?? Checkout.root.appending(path: ".build/test-engine/moonshine-tiny-en").path
    return FileManager.default.fileExists(atPath: folder + "/engine.json") ? folder : nil
}()

@Suite(
    "The program for neural engines",
    .enabled(if: engine != nil, "Tests/Support/Tools/setup-engine could not download the engine."),
    .timeLimit(.minutes(3)))
struct NeuralEngineTests {
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "voicegate-recognizer-onnx").path

    static func command(_ arguments: [String] = []) throws -> [String] {
        [program, "--model", try #require(engine)] + arguments
    }

    static func clip() throws -> SpeechClip { try #require(SpeechClip.librivox().first) }

    static func trial(_ arguments: [String] = []) throws -> EngineTrial {
        let clip = try clip()
        return EngineTrial(
            command: try command(arguments), recording: try EngineTrial.Recording(path: clip.path, text: clip.words))
    }

    @Test("passes each rule of the protocol", arguments: EngineRule.allCases)
    func rules(rule: EngineRule) async throws {
        let trial = try Self.trial()
        let finding = try await Self.blocking { trial.finding(rule) }
        #expect(finding == EngineFinding(rule: rule, result: .kept, detail: nil))
    }

    /// A minute is in Benchmarks; a test hears ten seconds of each.
    static let sounds: [(name: String, samples: @Sendable () -> [Int16])] = [
        ("white noise", { Noises.white(0.1) }), ("a fan", { Noises.low(0.3) }), ("key strokes", Noises.keys),
        ("music", Noises.music), ("breathing", Noises.breathing),
    ]

    @Test("writes no words for noise, music and breathing", arguments: sounds.map(\.name))
    func noises(name: String) async throws {
        let samples = try #require(Self.sounds.first { $0.name == name }).samples()
        let conversation = try await Self.conversation(samples)
        #expect(conversation.text == "")
        #expect(conversation.failure == nil)
    }

    @Test("writes what was said, with times within the speech, and settles words only at pauses")
    func speech() async throws {
        let clip = try Self.clip()
        let silence = [Int16](repeating: 0, count: 16_000)
        let conversation = try await Self.conversation(silence + (try clip.samples()) + silence + silence)
        let said = PhraseBook.words(of: clip.words)
        #expect(
            WordDistance.errors(reference: said, hypothesis: PhraseBook.words(of: conversation.text)) <= said.count / 10
        )
        let words = conversation.finals.flatMap(\.words)
        let end = Double(try clip.samples().count) / 16_000 + 1
        #expect(words.allSatisfy { $0.start >= 0.9 && $0.start <= $0.end && $0.end <= end })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start })
        let partials = conversation.events.compactMap { if case .partial(let partial) = $0 { partial } else { nil } }
        #expect(!partials.isEmpty)
        #expect(
            partials.allSatisfy {
                [0, $0.text.utf8.count].contains($0.stablePrefix) || $0.stablePrefix < $0.text.utf8.count
            })
    }

    @Test("a file of two minutes without a pause is cut, by several decoders as by one")
    func longFile() async throws {
        // Read without the silence at the clips' ends.
        let speech = try SpeechClip.librivox().flatMap { try $0.samples().dropFirst(4_000).dropLast(4_000) }
        let file = [UInt8](HumanSpeech.wav(speech + speech + speech, sampleRate: 16_000, channels: 1))
        var finals: [[Transcript]] = []
        for decoders in ["1", "2"] {
            let trial = try Self.trial(["--file-decoders", decoders])
            finals.append(
                try await Self.blocking {
                    let conversation = try trial.begun(RecognitionConfiguration(input: .file))
                    try conversation.hear(file: file)
                    try conversation.finish()
                    return conversation.finals
                })
        }
        #expect(finals[0] == finals[1])
        #expect(finals[0].count > 1)
        #expect(finals[0].allSatisfy { $0.end - $0.start <= 30.01 })
        #expect(finals[0].flatMap(\.words).count > 100)
    }

    @Test("a library of another version, or none, is an error that says what to do")
    func wrongLibrary() async throws {
        let folder = try #require(engine)
        let place = FileManager.default.temporaryDirectory.appending(path: "voicegate-engine-\(UUID())").path
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: place + "/" + name)
        }
        // It has none of the functions.
        try FileManager.default.removeItem(atPath: place + "/libsherpa-onnx-c-api.so")
        try FileManager.default.copyItem(
            atPath: place + "/libonnxruntime.so", toPath: place + "/libsherpa-onnx-c-api.so")
        let failure = try await Self.failure(of: place)
        #expect(failure?.code == .modelUnavailable)
        #expect(failure?.message.contains("install the engine again") == true)
        try FileManager.default.removeItem(atPath: place + "/tokens.txt")
        #expect(try await Self.failure(of: place)?.message.contains("tokens.txt is missing") == true)
    }

    private static func failure(of folder: String) async throws -> RecognitionError? {
        try await blocking {
            let engine = try EngineProcess(command: [program, "--model", folder])
            guard case .recognized(.failed(let error))? = try engine.reply(by: .now + .seconds(30)) else { return nil }
            return error
        }
    }

    private static func conversation(_ samples: [Int16]) async throws -> EngineConversation {
        let trial = try trial()
        return try await blocking {
            let conversation = try trial.begun()
            try conversation.hear(samples)
            try conversation.finish()
            return conversation
        }
    }

    private static func blocking<Value>(_ work: @escaping @Sendable () throws -> sending Value) async throws
        -> sending Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// Ten seconds of sounds that are not speech.
private enum Noises {
    private static let count = 160_000

    private static func random() -> () -> Double {
        var random = SeededGenerator(seed: 16)
        return { Double.random(in: -1...1, using: &random) }
    }

    private static func samples(_ values: [Double]) -> [Int16] { values.map { Int16(min(max($0, -1), 1) * 32_000) } }

    static func white(_ level: Double) -> [Int16] {
        let random = random()
        return samples((0..<count).map { _ in level * random() })
    }

    static func low(_ level: Double) -> [Int16] {
        let random = random()
        var value = 0.0
        return samples(
            (0..<count).map { _ in
                value += 0.05 * (random() - value)
                return 4 * level * value
            })
    }

    static func keys() -> [Int16] {
        let random = random()
        return samples(
            (0..<count).map { index in
                let since = index % 2_900
                return since < 500 ? 0.7 * random() * exp(-Double(since) / 60) : 0.001 * random()
            })
    }

    static func music() -> [Int16] {
        let tones = [0.0, 4, 7, 12, 7, 4].map { 220 * pow(2, $0 / 12) }
        return samples(
            (0..<count).map { index in
                let since = Double(index % 6_400) / 16_000
                let tone = tones[index / 6_400 % tones.count]
                return (1...4).reduce(0.0) { $0 + sin(2 * .pi * tone * Double($1) * since) / Double($1) } * 0.2
                    * exp(-3 * since)
            })
    }

    static func breathing() -> [Int16] {
        let random = random()
        var value = 0.0
        return samples(
            (0..<count).map { index in
                value += 0.4 * (random() - value)
                return 0.3 * value * pow(max(0, sin(.pi * Double(index) / 24_000)), 2)
            })
    }
}
