import Authorization
import TestSupport
import Testing

@testable import Prompting

@Suite("Columns of a terminal")
struct TerminalColumnsTests {
    @Test(
        "a character takes as many columns as a terminal gives it",
        arguments: [
            ("abc", 3), ("マイク", 6), ("한국어", 6), ("「」", 4), ("“”", 2), ("e\u{301}", 1), ("ｱ", 1), ("👩‍👩‍👧", 2),
            ("", 0), ("\u{1100}\u{1161}", 2), ("\u{1100}\u{1100}\u{1100}", 6), ("\u{915}\u{93E}\u{93E}", 3),
        ] as [(String, Int)])
    func columns(text: String, columns: Int) { #expect(TerminalColumns.count(text) == columns) }

    @Test("text is cut where it no longer fits, at either end")
    func cut() {
        #expect(TerminalColumns.prefix("日本語", columns: 5) == "日本")
        #expect(TerminalColumns.prefix("日本語", columns: 1) == "日")
        // One character of the language, several of the terminal's columns.
        #expect(TerminalColumns.prefix("\u{1100}\u{1100}\u{1100}", columns: 4) == "\u{1100}\u{1100}")
        #expect(TerminalColumns.suffix("日本語", columns: 5) == "本語")
        #expect(TerminalColumns.suffix("日本語", columns: 1) == "")
        #expect(TerminalColumns.padded("目的", to: 6) == "目的  ")
    }

    @Test("Japanese breaks between characters, and no line begins with a full stop or ends in an opening bracket")
    func japanese() {
        #expect(LineBreaking.lines("音声をテキストに変換する。", width: 10) == ["音声をテキ", "ストに変換", "する。"])
        #expect(LineBreaking.lines("あいうえお。", width: 10) == ["あいうえ", "お。"])
        #expect(LineBreaking.lines("あいうえ「おか」", width: 10) == ["あいうえ", "「おか」"])
        #expect(LineBreaking.lines("VoiceGateは動く", width: 10) == ["VoiceGate", "は動く"])
    }

    /// A terminal may draw each of these in one column or in two.
    @Test(
        "a line fits also where the terminal draws ambiguous characters in two columns",
        arguments: ["é", "ß", "α", "я", "—", "“", "…", "€", "①", "→", "∞", "│", "■", "★", "♪", "Ⅷ", "℃", "\u{1F130}"])
    func ambiguous(character: String) {
        let text = String(repeating: character, count: 30) + " " + String(repeating: "a" + character, count: 30)
        let lines = LineBreaking.lines(text, width: 20)
        for line in lines { #expect(line.reduce(0) { $0 + ($1 == "a" ? 1 : 2) } <= 20, "\(line)") }
        #expect(lines.joined() == text.filter { $0 != " " })
        #expect(TerminalColumns.prefix(text[...], columns: 7).count == 3)
    }

    @Test(
        "other letters take the room that they are drawn in",
        arguments: ["a", "ẵ", "ա", "ש", "ب", "ก", "ა", "አ", "ខ", "ᄀ"])
    func unambiguous(letter: String) {
        let text = String(repeating: letter, count: 40)
        #expect(LineBreaking.lines(text, width: 20).allSatisfy { TerminalColumns.count($0) == 20 })
    }

    @Test("Korean breaks at spaces")
    func korean() {
        #expect(LineBreaking.lines("마이크를 사용하려고 합니다.", width: 14) == ["마이크를", "사용하려고", "합니다."])
        #expect(LineBreaking.lines("사용하려고합니다", width: 8) == ["사용하려", "고합니다"])
    }

    @Test(
        "no line of a prompt is wider than the terminal, and nothing is lost", arguments: Language.allCases,
        [24, 40, 80])
    func prompt(language: Language, width: Int) throws {
        let client = try Prompt.example(name: String(repeating: "長い名前", count: 10)).requester.client
        let text = PromptText(width: width, environment: [:])
        for question in [Question.firstUse, .upgradeToAlways, .review, .temporaryFullFidelity(purpose: "目的の説明。")] {
            let notice = try #require(
                Notice(client: client, resource: .speechRecognition, question: question, language: language))
            let shown = text.lines(of: DisplayedNotice(notice, answers: question.answers()))
            #expect(shown.allSatisfy { TerminalColumns.most($0) <= width })
            let bare = { (text: String) in text.filter { !$0.isWhitespace && $0 != "│" } }
            #expect(bare(text.readingLines(of: DisplayedNotice(notice)).joined()).contains(bare(notice.title)))
            for answer in question.answers() {
                let name = language.wording.name(of: answer, among: AnswerSet(question.answers()))
                #expect(bare(shown.joined()).contains("]" + bare(name)))
            }
        }
    }
}
