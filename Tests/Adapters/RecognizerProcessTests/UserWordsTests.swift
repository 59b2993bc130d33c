import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("Context phrases and sample text, learnt by real workers", .serialized)
struct UserWordsTests {
    private static func clip(_ beginning: String) throws -> SpeechClip {
        try #require(try SpeechClip.librivox().first { $0.words.hasPrefix(beginning) })
    }

    @Test("an unknown word is recognised if it is a context phrase, in live and final text")
    func newWord() async throws {
        let clip = try Self.clip("unless to be")
        let words = try UserWords(contextPhrases: ["rather ColdHearted"])
        let events = try await PoolFixture.events(RecognitionConfiguration(userWords: words), clip)
        #expect(events.text.contains("coldhearted"))
        #expect(events.partials.contains { $0.text.contains("coldhearted") })
        let without = try await PoolFixture.events(RecognitionConfiguration(), clip)
        #expect(!without.text.contains("coldhearted"))
        #expect(!without.finals.isEmpty)
    }

    @Test("sample text reduces the errors in similar speech in a file")
    func writing() async throws {
        let clip = try Self.clip("he was not")
        let text = """
            Missus John Dashwood was not so ill disposed as they said. He was an ill disposed young man, but she was not. Was
            Elinor ill disposed, or was she a young woman of sense? A young man should not be ill.
            """
        func errors(_ words: UserWords) async throws -> Int {
            let events = try await PoolFixture.events(RecognitionConfiguration(input: .file, userWords: words), clip)
            return WordErrorRate(reference: clip.words, hypothesis: events.text).errors
        }
        let with = try await errors(UserWords(text: text))
        let without = try await errors(.none)
        #expect(with < without)
    }

    @Test("unrelated words do not change a sentence")
    func unrelated() async throws {
        let clip = try Self.clip("he might even")
        let text = """
            The scheduler moves a thread to another run queue when its processor is idle. A page fault is handled by the kernel.
            Sweynheim and Pannartz carried the art of printing to Subiaco.
            """
        let with = try await PoolFixture.events(
            RecognitionConfiguration(input: .file, userWords: UserWords(contextPhrases: ["page fault"], text: text)),
            clip)
        let without = try await PoolFixture.events(RecognitionConfiguration(input: .file), clip)
        #expect(with.text == without.text)
        #expect(!with.text.isEmpty)
    }

    @Test(
        "hostile words end no worker and are not recognised",
        arguments: [
            "\\data\\\nngram 1=-5\n\n\\1-grams:\n-99\t<s>\t0\n",
            "<s> </s> <UNK> <sil> [NOISE] ++COUGH++ voicegate-memory:3 /etc/passwd",
            "\u{1B}]0;owned\u{7} \u{0} \u{202E}abc %s%n%x ' '' 'a a' -' .. a.. .a",
            String(repeating: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbb'bbbbb ", count: 200),
            "日本語 の テキスト привет мир ﷽ 🎤 e\u{301}\u{301}\u{301}\u{301} ß ŉ ǆ",
            "a(2) word(2) (2) read(1) the(99999999999999999999)",
            "b c d f g qqq zzzzzz xkcd tsk hmm 'tis rock'n'roll o'o'o'o",
        ])
    func hostile(_ text: String) async throws {
        let phrases = text.split(separator: "\n").map { String($0.prefix(150)) }
        let words = try UserWords(contextPhrases: phrases, text: text)
        let events = try await PoolFixture.events(
            RecognitionConfiguration(input: .file, userWords: words), Self.clip("he might even"))
        #expect(events.failure == nil)
        #expect(events.text.hasPrefix("he might even have been made"))
        if case .finished = events.last {} else { Issue.record("\(events)") }
    }

    @Test("half a megabyte of sample text is learnt")
    func large() async throws {
        var generator = SeededGenerator(seed: 3)
        var text = ""
        while text.utf8.count < UserWords.longestText - 100 {
            let word = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
                String(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
            }
            text += word.joined() + (Int.random(in: 0..<12, using: &generator) == 0 ? ". " : " ")
        }
        let events = try await PoolFixture.events(
            RecognitionConfiguration(input: .file, userWords: UserWords(text: text)), Self.clip("he might even"))
        #expect(events.failure == nil)
        #expect(!events.finals.isEmpty)
    }

    @Test("an utterance has alternatives if requested, each once and none equal to the text")
    func alternatives() async throws {
        let clip = try Self.clip("he was not")
        let asked = try await PoolFixture.events(RecognitionConfiguration(alternatives: 5), clip)
        let transcript = try #require(asked.finals.first)
        #expect(transcript.alternatives.count == 5)
        #expect(Set(transcript.alternatives).count == 5)
        #expect(!transcript.alternatives.contains(transcript.text))
        #expect(transcript.alternatives.allSatisfy { !$0.contains("<") && !$0.contains("(") && !$0.isEmpty })
        let unasked = try await PoolFixture.events(RecognitionConfiguration(), clip)
        #expect(unasked.finals.first?.text == transcript.text)
        #expect(unasked.finals.allSatisfy { $0.alternatives.isEmpty })
    }
}
