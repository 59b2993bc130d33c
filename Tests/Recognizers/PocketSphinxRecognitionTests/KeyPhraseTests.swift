import RecognizerProtocol
import RecognizerWorker
import Speech
import Synchronization
import TestSupport
import Testing

@testable import PocketSphinxRecognition

@Suite("Key phrases within talk", .timeLimit(.minutes(1)))
struct KeyPhraseTests {
    private static let model = "/usr/share/pocketsphinx/model/en-us"
    private static let numbers = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "twelve", "thirteen",
        "twenty",
        "hundred", "thousand",
    ]

    /// The replies to an utterance, and those that were sent since it ended.
    private func replies(to samples: [Int16], _ phrases: [String]) throws -> [WorkerReply] {
        let sent = Mutex<[WorkerReply]>([])
        let outbox = Outbox(isFile: false) { reply in sent.withLock { $0.append(reply) } }
        let decoders = Decoders(model: try Model(folder: Self.model), count: 1, waiting: 16)
        try decoders.ready()
        let judge = KeyPhraseJudge(phrases.map { KeyPhrase($0) }, decoders: decoders, worked: outbox.worked)
        JudgedSpeech(outbox: outbox, judge: judge.transcripts).ended(
            Utterance(number: 0, start: 0, end: Double(samples.count) / 16_000, samples: samples))
        return sent.withLock { $0 }
    }

    private func texts(_ replies: [WorkerReply]) -> [String] {
        replies.compactMap { if case .recognized(.final(let transcript)) = $0 { transcript.text } else { nil } }
    }

    @Test("a phrase is found as the client wrote it; a similar phrase that was not said is not found")
    func said() throws {
        let said = try replies(
            to: HumanSpeech.samples(HumanSpeech.goForward),
            ["Forward, TEN!", "backward ten", "ten miles", "go four", "meters go"])
        #expect(texts(said) == ["Forward, TEN!"])
    }

    @Test("each spoken phrase is found, and one within a longer one follows that one, however they are listed")
    func nested() throws {
        let said = try replies(
            to: HumanSpeech.samples(HumanSpeech.goForward),
            ["ten", "forward ten", "ten meters", "forward ten meters", "go", "ten miles"])
        #expect(texts(said) == ["go", "forward ten meters", "forward ten", "ten meters", "ten"])
    }

    /// The service ends a worker that is silent for 30 seconds.
    @Test(
        "the work is reported in parts, and has as many for 200 phrases as for one: two, and one for each place in doubt"
    )
    func bounded() throws {
        let phrases = Self.numbers.flatMap { first in Self.numbers.map { "\(first) \($0)" } }.prefix(
            PhraseBook.mostPhrases)
        let replies = try replies(to: HumanSpeech.samples(HumanSpeech.goForward), Array(phrases))
        #expect((2...4).contains(replies.count), "\(replies)")
        #expect(replies.allSatisfy { if case .progress = $0 { true } else { false } })
    }
}
