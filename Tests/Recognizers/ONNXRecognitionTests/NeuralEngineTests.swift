import Base
import Foundation
import Logging
import ProgramSupport
import RecognizerProcess
import Speech
import TestSupport
import Testing

@testable import Authorization

/// The rules of the protocol are tested by `EngineCheckTests`.
@Suite(
    "The program for neural engines",
    .enabled(if: NeuralEngine.folder != nil, "Tests/Support/Tools/setup-engine could not download the engine."),
    .timeLimit(.minutes(3)))
struct NeuralEngineTests {
    static func clip() throws -> SpeechClip { try #require(SpeechClip.librivox().first) }

    /// The events of a session with the audio that `hear` gives it.
    private static func events(
        in folder: String? = nil, decoders: Int = 1, of input: RecognitionConfiguration.Input = .live,
        _ hear: (any RecognitionSession) async -> Void
    ) async throws -> [RecognitionEvent] {
        var configuration = RecognizerPool.Configuration(
            executable: Programs.folder + "/voicegate-recognizer-onnx",
            modelFolder: try folder ?? #require(NeuralEngine.folder))
        (configuration.warmWorkers, configuration.hasDictionary, configuration.fileDecoders) = (0, false, decoders)
        configuration.filesGiveWay = false
        let pool = try RecognizerPool(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let lease = Lease(
            identifier: "l",
            key: DecisionKey(user: 0, client: Samples.identifier("org.example.test"), resource: .speechRecognition))
        let result: Result<[RecognitionEvent], RecognitionError>
        do throws(RecognitionError) {
            let session = try await pool.start(
                RecognitionConfiguration(input: input), grant: SpeechRecognitionGrant(lease: lease))
            await hear(session)
            await session.finish()
            result = .success(await session.rest())
        } catch {
            result = .failure(error)
        }
        await pool.shutdown()
        return try result.get()
    }

    /// A minute is in Benchmarks; a test hears ten seconds of each.
    static let sounds: [(name: String, samples: @Sendable () -> [Int16])] = [
        ("white noise", { Noises.white(0.1) }), ("a fan", { Noises.low(0.3) }), ("key strokes", Noises.keys),
        ("music", Noises.music), ("breathing", Noises.breathing),
    ]

    @Test("writes no words for noise, music and breathing", arguments: sounds.map(\.name))
    func noises(name: String) async throws {
        let samples = try #require(Self.sounds.first { $0.name == name }).samples()
        let events = try await Self.events { await $0.hear(samples) }
        #expect(events.text == "")
        #expect(events.failure == nil)
    }

    @Test("writes what was said, with times within the speech, and settles words only at pauses")
    func speech() async throws {
        let clip = try Self.clip()
        let silence = [Int16](repeating: 0, count: 16_000)
        let samples = silence + (try clip.samples()) + silence + silence
        let events = try await Self.events { await $0.hear(samples) }
        let said = PhraseBook.words(of: clip.words)
        #expect(
            WordDistance.errors(reference: said, hypothesis: PhraseBook.words(of: events.text)) <= said.count / 10
        )
        let words = events.finals.flatMap(\.words)
        let end = Double(try clip.samples().count) / 16_000 + 1
        #expect(words.allSatisfy { $0.start >= 0.9 && $0.start <= $0.end && $0.end <= end })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(!events.partials.isEmpty)
        #expect(
            events.partials.allSatisfy {
                [0, $0.text.utf8.count].contains($0.stablePrefix) || $0.stablePrefix < $0.text.utf8.count
            })
    }

    @Test("a file of two minutes without a pause is cut, by several decoders as by one")
    func longFile() async throws {
        // Read without the silence at the clips' ends.
        let speech = try SpeechClip.librivox().flatMap { try $0.samples().dropFirst(4_000).dropLast(4_000) }
        let file = [UInt8](HumanSpeech.wav(speech + speech + speech, sampleRate: 16_000, channels: 1))
        var finals: [[Transcript]] = []
        for decoders in 1...2 {
            finals.append(
                try await Self.events(decoders: decoders, of: .file) { session in
                    for start in stride(from: 0, to: file.count, by: 65_536) {
                        await session.accept(file: Array(file[start..<min(start + 65_536, file.count)]))
                    }
                }.finals)
        }
        #expect(finals[0] == finals[1])
        #expect(finals[0].count > 1)
        #expect(finals[0].allSatisfy { $0.end - $0.start <= 60.01 })
        #expect(finals[0].flatMap(\.words).count > 100)
    }

    @Test("clips of a speaker joined to one file are read as each by itself, without doubled words")
    func joined() async throws {
        let clips = try SpeechClip.librivox()
        // Without the silence at their ends, so that they follow each other as sentences do.
        let speech = try clips.flatMap { try $0.samples().dropFirst(4_000).dropLast(4_000) }
        let file = [UInt8](HumanSpeech.wav(speech, sampleRate: 16_000, channels: 1))
        let events = try await Self.events(of: .file) { session in
            for start in stride(from: 0, to: file.count, by: 65_536) {
                await session.accept(file: Array(file[start..<min(start + 65_536, file.count)]))
            }
        }
        let said = clips.flatMap { PhraseBook.words(of: $0.words) }
        let found = PhraseBook.words(of: events.text)
        // Each clip by itself: 3.
        #expect(WordDistance.errors(reference: said, hypothesis: found) <= 3, "\(events.text)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 != $1 }, "\(events.text)")
    }

    @Test("a library of another version, or none, is an error that says what to do")
    func wrongLibrary() async throws {
        let folder = try #require(NeuralEngine.folder)
        let place = FileManager.default.temporaryDirectory.appending(path: "voicegate-engine-\(UUID())").path
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: place + "/" + name)
        }
        // It has no function of the library.
        try FileManager.default.removeItem(atPath: place + "/libsherpa-onnx-c-api.so")
        try FileManager.default.copyItem(
            atPath: place + "/libonnxruntime.so", toPath: place + "/libsherpa-onnx-c-api.so")
        let failure = await #expect(throws: RecognitionError.self) { try await Self.events(in: place) { _ in } }
        #expect(failure?.code == .modelUnavailable)
        #expect(failure?.message.contains("install the engine again") == true, "\(failure?.message ?? "")")
        try FileManager.default.removeItem(atPath: place + "/tokens.txt")
        let missing = await #expect(throws: RecognitionError.self) { try await Self.events(in: place) { _ in } }
        #expect(missing?.message.contains("tokens.txt is missing") == true, "\(missing?.message ?? "")")
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
