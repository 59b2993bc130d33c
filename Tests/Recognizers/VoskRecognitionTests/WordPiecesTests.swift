import Speech
import Testing

@testable import VoskRecognition

@Suite("Words of a model that has parts of words")
struct WordPiecesTests {
    private static let vocabulary: Set<String> = [
        "불", "을", "불을까", "켜", "주", "세요", "주세", "요", "ABC", "lights", "on", "s",
    ]
    private let pieces = WordPieces { vocabulary.contains($0) }

    @Test("a Korean word is divided into the fewest words, an English one is not divided")
    func readings() {
        #expect(pieces.readings(of: "불을") == [["불", "을"]])
        #expect(pieces.readings(of: "주세요") == [["주", "세요"], ["주세", "요"]])
        #expect(pieces.readings(of: "켜") == [["켜"]])
        #expect(pieces.readings(of: "abc") == [["ABC"]] && pieces.readings(of: "lights") == [["lights"]])
        for word in ["ons", "꺼", "불꺼", "lights불", ""] { #expect(pieces.readings(of: word) == [], "\(word)") }
    }

    @Test("the sentences for the library have each reading; a word that cannot be written is refused by its name")
    func phrases() throws {
        let graph = GrammarGraph(phrases: [["불을", "켜", "주세요"], ["lights", "on"]])
        #expect(
            try pieces.sentences(of: graph, refusal: PhraseBook.unknown) == [
                "불 을 켜 주 세요", "불 을 켜 주세 요", "lights on",
            ])
        let error = #expect(throws: RecognitionError.self) {
            try pieces.sentences(of: GrammarGraph(phrases: [["불을", "꺼"]]), refusal: PhraseBook.unknown)
        }
        #expect(error?.code == .phraseRefused && error?.message.contains("“꺼”") == true)
    }

    @Test("a sentence is found in the pieces whatever their division, and nothing else is one")
    func sentences() throws {
        let graph = GrammarGraph(phrases: [["불을", "켜", "주세요"], ["lights", "on"]])
        #expect(graph.words(in: "불을켜주세요") == ["불을", "켜", "주세요"])
        #expect(graph.words(in: "lightson") == ["lights", "on"])
        for text in ["", "불을켜", "불을켜주세요lightson", "불을켜주세요요"] { #expect(graph.words(in: text) == nil, "\(text)") }
        let grammar = try Grammar("#JSGF V1.0; grammar g; public <g> = (켜 | 꺼)+ [제발];")
        #expect(grammar.graph.words(in: "켜꺼켜제발") == ["켜", "꺼", "켜", "제발"])
        #expect(grammar.graph.words(in: "제발켜") == nil)
        #expect(Set(grammar.graph.coveringSentences.joined()) == ["켜", "꺼", "제발"])
        #expect(grammar.graph.coveringSentences.allSatisfy(grammar.graph.accepts))
    }

    @Test("free text that sounds like a phrase is near it, noise is not")
    func difference() {
        #expect(VoskSentenceJudge.difference("오늘날씨가정말좋네요", "은일당씨가전매좋네요") < 0.4)
        #expect(VoskSentenceJudge.difference("취소", "이십이") > 0.7)
        #expect(VoskSentenceJudge.difference("", "") == 1 && VoskSentenceJudge.difference("켜", "켜") == 0)
    }
}
