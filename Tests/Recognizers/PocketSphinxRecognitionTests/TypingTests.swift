import RecognizerProtocol
import RecognizerWorker
import Speech
import Synchronization
import TestSupport
import Testing

@testable import PocketSphinxRecognition

/// Whether a sound is typing: `KeyStrokesTests`.
@Suite("What is heard of typing", .timeLimit(.minutes(1)))
struct TypingTests {
    private static let model = "/usr/share/pocketsphinx/model/en-us"

    private static func utterance(isTyping: Bool) throws -> Utterance {
        let typing = Noises.strokes(seconds: 3, level: 8_000, length: 0.01, gap: 0.08...0.3)
        let samples = isTyping ? typing : try HumanSpeech.samples(HumanSpeech.goForward)
        return Utterance(number: 0, start: 0, end: Double(samples.count) / 16_000, samples: samples)
    }

    private final class Texts: Sendable {
        private let all = Mutex<[String]>([])

        var values: [String] { all.withLock { $0 } }

        func add(_ reply: WorkerReply) {
            if case .recognized(.final(let transcript)) = reply { all.withLock { $0.append(transcript.text) } }
        }
    }

    /// A decoder makes words of everything.
    private static let word = Transcript(text: "the", start: 0, end: 1, words: [])

    @Test("a file's utterance of typing has no text", arguments: [true, false])
    func file(isTyping: Bool) throws {
        let texts = Texts()
        let decoders = DecoderThreads<Int>(count: 1, waiting: 2) { 0 }
        try decoders.ready()
        let outbox = Outbox(isFile: true, write: texts.add)
        let dictation = FileDictation(RecognitionConfiguration(input: .file), decoders: decoders, outbox: outbox) {
            _, _ in Self.word
        }
        dictation.began(0, at: 0)
        dictation.ended(try Self.utterance(isTyping: isTyping))
        dictation.finish(duration: 3)
        #expect(texts.values == [isTyping ? "" : "the"])
    }

    @Test("no phrase is found in typing", arguments: [true, false])
    func phrases(isTyping: Bool) throws {
        let texts = Texts()
        let judged = JudgedSpeech(outbox: Outbox(isFile: false, write: texts.add)) { _ in [Self.word] }
        judged.ended(try Self.utterance(isTyping: isTyping))
        #expect(texts.values == (isTyping ? [] : ["the"]))
    }

    @Test("live words of typing are not in the final text", arguments: [true, false])
    func live(isTyping: Bool) throws {
        let texts = Texts()
        let decoder = try Decoder(model: Model(folder: Self.model))
        let spoken = SpokenUtterance(number: 0, outbox: Outbox(isFile: false, write: texts.add))
        decoder.begin()
        spoken.hear(try HumanSpeech.samples(HumanSpeech.goForward), decoder)
        spoken.end(try Self.utterance(isTyping: isTyping), decibels: 40, decoder)
        #expect(texts.values.count == 1)
        #expect(texts.values.first?.isEmpty == isTyping)
    }
}
