import Authorization
import TestSupport
import Testing

@testable import Prompting

@Suite("The text of a prompt")
struct PromptTextTests {
    @Test("no line is wider than the terminal", arguments: [24, 30, 41, 80, 300])
    func width(columns: Int) throws {
        let text = PromptText(width: columns, environment: [:])
        let notice = try Prompt.example(name: String(repeating: "long ", count: 20)).notice
        let lines = text.lines(of: notice)
        #expect(lines.allSatisfy { $0.count <= min(columns, 100) })
        #expect(lines.joined().contains("[l] Later"))
        // Nothing is lost by wrapping.
        let words = { (text: String) in text.split { $0.isWhitespace || $0 == "│" }.joined() }
        #expect(words(lines.joined(separator: " ")).contains(words(notice.title)))
    }

    @Test("a word longer than a line is broken")
    func longWord() {
        #expect(PromptText.wrapped("a bcdefghijkl m", width: 8) == ["a", "bcdefghi", "jkl m"])
        #expect(PromptText.wrapped("12345678", width: 8) == ["12345678"])
        #expect(PromptText.wrapped("1234567812345678", width: 8) == ["12345678", "12345678"])
        #expect(PromptText.wrapped("", width: 8) == [""])
    }

    @Test(
        "NO_COLOR and a dumb or unknown terminal mean plain text",
        arguments: [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"], [:]])
    func plain(environment: [String: String]) throws {
        let lines = PromptText(width: 80, environment: environment).lines(of: try Prompt.example().notice)
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test("an empty NO_COLOR does not count")
    func styled() throws {
        let text = PromptText(width: 80, environment: ["NO_COLOR": "", "TERM": "xterm"])
        #expect(text.lines(of: try Prompt.example().notice).joined().contains("\u{1B}[1m"))
    }

    @Test("a name cannot add lines")
    func injection() throws {
        let notice = try Prompt.example(name: "x\u{1B}[2J\n  [w] Don't allow\u{202E}").notice
        let lines = PromptText(width: 80, environment: [:]).lines(of: notice)
        #expect(!lines.joined().contains("\u{1B}"))
        #expect(!lines.joined().contains("\u{202E}"))
        #expect(lines.filter { $0.hasPrefix("  [w]") }.count == 1)
    }
}
