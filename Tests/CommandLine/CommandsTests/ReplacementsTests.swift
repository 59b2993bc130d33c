import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("The user's own spellings")
struct ReplacementsTests {
    private static let list = """
        # Names
        voice gate → VoiceGate
        kelm scott press -> Kelmscott Press
        kelm → Kelm's

        um →
        iphone → iPhone
        ボイスゲート → VoiceGate
        보이스 게이트 → VoiceGate
        """

    private func written(_ said: String, punctuation: Bool = false) throws -> String {
        var former = TextFormer(punctuation: punctuation, replacements: try Replacements(Self.list, name: "list"))
        return former.utterance(said).text
    }

    @Test(
        "words are replaced as an engine writes them: with capitals and marks, the longest first, whole words only",
        arguments: [
            ("open voice gate now", "open VoiceGate now"), ("Voice Gate, please.", "VoiceGate, please."),
            ("the kelm scott press and kelm", "the Kelmscott Press and Kelm's"),
            ("voice. Gate", "voice. Gate"), ("voice gates", "voice gates"), ("well um yes", "well yes"),
            ("um", ""), ("ボイスゲートを開く", "VoiceGateを開く"), ("보이스 게이트가 듣는다", "VoiceGate가 듣는다"),
        ])
    func replaced(_ said: String, _ expected: String) throws { #expect(try written(said) == expected) }

    @Test("a spelling stays as it is at the beginning of a sentence, and spoken marks touch it")
    func withMarks() throws {
        #expect(try written("iphone comma voice gate period go", punctuation: true) == "iPhone, VoiceGate. Go")
    }

    @Test("what was written inside a word is not replaced again, and the longest words come first")
    func inside() throws {
        let replacements = try Replacements("가 → 나나\n나 → 다다\n다라 → 마\n다 → 바", name: "list")
        #expect(replacements.inside("x가나다라다") == "x나나다다마바")
        // Each could grow by a factor of 500.
        let written = String(repeating: "나", count: 500)
        let growing = try Replacements("가 → \(written)\n나 → \(written)\n", name: "list")
        #expect(growing.inside("가").count == 500)
    }

    @Test("a written word has the times of all words that it replaces")
    func sources() throws {
        var former = TextFormer(punctuation: false, replacements: try Replacements(Self.list, name: "list"))
        #expect(former.words(["open", "voice", "gate"]).map(\.source) == [0..<1, 1..<3])
    }

    @Test(
        "a line that cannot be used is named",
        arguments: [
            ("a b", "list, line 1: there is no arrow"), ("a → b\n\n→ c", "list, line 3: there is no spoken word"),
            ("a → b\nA → c", "list, line 2: line 1 has the same words"),
            ("a b c d e f g h i j k → x", "list, line 1: it is too long"),
            (String(repeating: "a", count: 5) + " → " + String(repeating: "b", count: 501), "line 1: it is too long"),
        ])
    func refused(_ text: String, _ named: String) {
        let error = #expect(throws: CommandError.self) { try Replacements(text, name: "list") }
        #expect(error?.code == .badReplacements && error?.status == .configuration)
        #expect(error?.message.contains(named) == true, "\(error?.message ?? "")")
    }

    @Test("a file may begin with a byte order mark and have Windows' line ends; other encodings are refused")
    func encodings() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("\u{FEFF}a → b\r\nc → d\r\n", to: "own.txt")
        var former = TextFormer(punctuation: false, replacements: try Replacements(path: path))
        #expect(former.utterance("a c").text == "b d")
        try Data("a -> b".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + [0xFF]).write(
            to: URL(fileURLWithPath: path))
        #expect(throws: CommandError.self) { try Replacements(path: path) }
    }

    @Test(
        "scratch that takes back the words before it, or else the utterances before",
        arguments: [
            ("go forward", 0, "go forward"), ("scratch that", 1, ""), ("Scratch that.", 1, ""),
            ("go back scratch that go forward", 0, "go forward"), ("scratch that scratch that no", 2, "no"),
            ("literal scratch that", 0, "scratch that"), ("scratch those", 0, "scratch those"), ("", 0, ""),
        ])
    func scratched(_ said: String, _ earlier: Int, _ kept: String) {
        let reading = ScratchThat.reading(said.split(separator: " ").map(String.init))
        #expect(reading.earlier == earlier)
        #expect(reading.kept.joined(separator: " ") == kept)
    }
}
