import Foundation
import Speech
import TestSupport
import Testing

@Suite("The sentences of a text")
struct WrittenSentencesTests {
    @Test(
        "sentences end at their marks and at empty lines, and words are as spoken",
        arguments: [
            ("He came. She went!", [["he", "came"], ["she", "went"]]),
            ("one line\nand its end\n\nthe next", [["one", "line", "and", "its", "end"], ["the", "next"]]),
            ("Mr. Dashwood, at 5 a.m. or so", [["mr", "dashwood", "at"], ["a.m.", "or", "so"]]),
            (
                "The “Kelmscott” press’s well-made (fine) books…",
                [["the", "kelmscott", "press's", "well", "made", "fine", "books"]]
            ),
            ("O'Brien's café—in Łódź", [["o'brien's", "café", "in", "łódź"]]),
            ("'quoted' words'", [["quoted", "words"]]),
            ("the U.S. is", [["the", "u.s.", "is"]]),
            ("", []), ("  \n\t\n ", []), ("— … !", []),
        ])
    func sentences(_ text: String, _ expected: [[String]]) { #expect(WrittenSentences(text).sentences == expected) }

    @Test(
        "text that is not spoken as written ends a sentence and is not a word",
        arguments: [
            ("before 1455 after", [["before"], ["after"]]),
            ("see https://example.org/a now", [["see"], ["now"]]),
            ("a <b>bold</b> word", [["a"], ["word"]]),
            ("write to me@example.org today", [["write", "to"], ["today"]]),
            ("x = y_z", [["x"]]),
            ("say <s> </s> [NOISE] ++COUGH++ here", [["say"], ["here"]]),
            ("\\data\\ ngram 1=5 \\end\\", [["ngram"]]),
            ("a \u{1B}[31mred\u{1B}[0m word", [["a"], ["word"]]),
            ("nul\u{0}l and\u{7} beep", [["beep"]]),
        ])
    func foreign(_ text: String, _ expected: [[String]]) { #expect(WrittenSentences(text).sentences == expected) }

    @Test("a word has at most forty characters; longer ones are left out")
    func long() {
        let longest = String(repeating: "a", count: 40)
        #expect(WrittenSentences("so \(longest) it").sentences == [["so", longest, "it"]])
        #expect(WrittenSentences("so \(longest)a it").sentences == [["so"], ["it"]])
        #expect(WrittenSentences(String(repeating: "a", count: 500_000)).sentences.isEmpty)
    }

    @Test("words only in capitals are spelled out")
    func capitals() {
        let written = WrittenSentences("The LSTM and ALSA. Alsa is here, I say; NASA")
        #expect(written.capitals == ["lstm", "nasa"])
    }

    @Test("random text gives only short words of letters")
    func random() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<400).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &generator)) }))
            for word in WrittenSentences(text).sentences.joined() {
                #expect(
                    word.unicodeScalars.allSatisfy {
                        $0.properties.isAlphabetic || "'.\u{300}".unicodeScalars.contains($0)
                            || $0.properties.generalCategory == .nonspacingMark
                    })
                #expect(!word.isEmpty && word.count <= 2 * WrittenSentences.longestWord)
            }
        }
    }
}
