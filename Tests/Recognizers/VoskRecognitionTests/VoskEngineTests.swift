import Base
import Foundation
import Logging
import ProgramSupport
import RecognizerProcess
import Speech
import TestSupport
import Testing

@testable import Authorization

/// With the speech of a synthetic voice, which the model was not made for: what it writes of people is measured in Benchmarks.
@Suite(
    "The program for models of Vosk",
    .enabled(if: KoreanEngine.folder != nil, "Tests/Support/Tools/setup-engine could not download the engine."),
    .timeLimit(.minutes(3)))
struct VoskEngineTests {
    /// The events of a session with the audio that `hear` gives it.
    private static func events(
        in folder: String? = nil, _ configuration: RecognitionConfiguration = RecognitionConfiguration(),
        _ hear: (any RecognitionSession) async -> Void
    ) async throws -> [RecognitionEvent] {
        var settings = RecognizerPool.Configuration(
            executable: Programs.folder + "/voicegate-recognizer-vosk",
            modelFolder: try folder ?? #require(KoreanEngine.folder))
        (settings.warmWorkers, settings.hasDictionary, settings.fileDecoders) = (0, false, 2)
        settings.filesGiveWay = false
        let pool = try RecognizerPool(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let lease = Lease(
            identifier: "l",
            key: DecisionKey(user: 0, client: Samples.identifier("org.example.test"), resource: .speechRecognition))
        let result: Result<[RecognitionEvent], RecognitionError>
        do throws(RecognitionError) {
            let session = try await pool.start(configuration, grant: SpeechRecognitionGrant(lease: lease))
            await hear(session)
            await session.finish()
            result = .success(await session.rest())
        } catch {
            result = .failure(error)
        }
        await pool.shutdown()
        return try result.get()
    }

    private func letters(_ text: String) -> [String] { text.filter { !$0.isWhitespace }.map { String($0) } }

    @Test("writes Korean speech live, with times within the speech, confidences and other readings")
    func speech() async throws {
        let said = "전화번호"
        let speech = try await KoreanEngine.speech(said)
        let silence = [Int16](repeating: 0, count: 16_000)
        let events = try await Self.events(
            RecognitionConfiguration(alternatives: 3)
        ) { await $0.hear(silence + speech + silence) }
        #expect(events.failure == nil)
        let heard = letters(events.text)
        // Of four syllables two: the voice is a machine's.
        #expect(WordDistance.errors(reference: letters(said), hypothesis: heard) <= 2, "\(events.text)")
        let words = events.finals.flatMap(\.words)
        let end = Double(speech.count) / 16_000 + 1
        #expect(words.allSatisfy { $0.start >= 0.9 && $0.start <= $0.end && $0.end <= end })
        #expect(words.allSatisfy { (0...1).contains($0.confidence) } && words.contains { $0.confidence > 0 })
        #expect(!events.partials.isEmpty)
        let others = events.finals.flatMap(\.alternatives)
        #expect(others.count <= 3 && !others.contains(events.text))
    }

    @Test("reports a phrase as it was written, and no other speech, at reduced fidelity in Korean")
    func phrases() async throws {
        let said = "전화번호"
        let speech = try await KoreanEngine.speech(said)
        for (expected, list) in [([said], ["불을 켜 주세요", said]), ([], ["불을 켜 주세요", "음악 재생"])] {
            let events = try await Self.events(RecognitionConfiguration(task: .phrases(list))) {
                await $0.hear(speech)
            }
            #expect(events.finals.map(\.text) == expected, "of \(list)")
            #expect(events.failure == nil && events.partials.isEmpty)
            #expect(events.finals.allSatisfy { $0.words.isEmpty })
        }
    }

    @Test("recognises a Korean grammar, and refuses words that the model cannot write")
    func grammar() async throws {
        let speech = try await KoreanEngine.speech("전화번호")
        let text = "#JSGF V1.0; grammar g; public <g> = (집 | 전화) 번호 | 전화번호 [알림];"
        let events = try await Self.events(RecognitionConfiguration(task: .grammar(text))) {
            await $0.hear(speech)
        }
        #expect(events.text.filter { $0 != " " } == "전화번호", "\(events)")
        let refused = try await Self.events(RecognitionConfiguration(task: .phrases(["xqzxqz"]))) { _ in }
        #expect(refused.failure?.code == .phraseRefused, "\(refused)")
    }

    @Test("a file has its utterances in order, by several decoders")
    func file() async throws {
        let silence = [Int16](repeating: 0, count: 24_000)
        let (first, second) = (try await KoreanEngine.speech("전화번호"), try await KoreanEngine.speech("음악 재생"))
        let file = [UInt8](
            HumanSpeech.wav(first + silence + second, sampleRate: 16_000, channels: 1))
        let events = try await Self.events(RecognitionConfiguration(input: .file)) { session in
            for start in stride(from: 0, to: file.count, by: 65_536) {
                await session.accept(file: Array(file[start..<min(start + 65_536, file.count)]))
            }
        }
        let finals = events.finals.filter { !$0.text.isEmpty }
        #expect(finals.count == 2 && events.failure == nil, "\(finals.map(\.text))")
        #expect(zip(finals, finals.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(events.partials.isEmpty)
    }

    @Test("a damaged model, and a library that is none, are errors that say what to do")
    func damaged() async throws {
        let folder = try #require(KoreanEngine.folder)
        let place = try TemporaryFolder()
        let copy = place.path + "/engine"
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        for (file, part) in [("am/final.mdl", "refused the model"), ("libvosk.so", "library cannot be used")] {
            let path = copy + "/" + file
            try FileManager.default.removeItem(atPath: path)
            try Data("broken".utf8).write(to: URL(fileURLWithPath: path))
            let failure = await #expect(throws: RecognitionError.self) { try await Self.events(in: copy) { _ in } }
            #expect(failure?.code == .modelUnavailable)
            #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("install the engine again") == true)
        }
        try FileManager.default.removeItem(atPath: copy + "/am/final.mdl")
        let missing = await #expect(throws: RecognitionError.self) { try await Self.events(in: copy) { _ in } }
        #expect(missing?.message.contains("am/final.mdl is missing") == true, "\(missing?.message ?? "")")
    }
}
