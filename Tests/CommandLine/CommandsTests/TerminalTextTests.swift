import Testing

@testable import Commands

@Suite("Messages and tables at a terminal")
struct TerminalTextTests {
    private func lines(_ text: String, _ width: Int) -> [String] {
        TerminalText.fitted(text, width: width).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    @Test("a message breaks between words; what fits is as it was")
    func words() {
        #expect(lines("The device is not there.", 24) == ["The device is not there."])
        #expect(lines("The device is not there.", 23) == ["The device is not", "there."])
        #expect(lines("a\n\nb", 8) == ["a", "", "b"])
        #expect(lines("音声をテキストに変換する。", 10) == ["音声をテキ", "ストに変換", "する。"])
    }

    @Test("a command is not broken, so that it can be copied; the sentence goes on behind it")
    func commands() {
        #expect(
            lines("To decide: voicegate settings org.example.notes --allow microphone. Then try again.", 62) == [
                "To decide:", "voicegate settings org.example.notes --allow microphone. Then", "try again.",
            ])
        #expect(
            lines("No agent runs. Start one (voicegate agent) and try again.", 40) == [
                "No agent runs. Start one", "(voicegate agent) and try again.",
            ])
    }

    @Test("a row's last cell continues below itself where there is room, and below the row elsewhere")
    func cells() {
        #expect(
            lines("service   running since yesterday, one session now", 36) == [
                "service   running since yesterday,", "          one session now",
            ])
        #expect(
            lines("a long first cell of a row  and the last one", 30) == [
                "a long first cell of a row", "and the last one",
            ])
    }
}
