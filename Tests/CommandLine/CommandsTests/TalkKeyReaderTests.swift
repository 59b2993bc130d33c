import Testing

@testable import Commands

@Suite("Keys for push to talk")
struct TalkKeyReaderTests {
    private func keys(_ text: String) -> [TalkKey] {
        var reader = TalkKeyReader()
        return text.utf8.compactMap { reader.key($0) }
    }

    @Test(
        "plain keys and those of kitty's protocol",
        arguments: [
            (" ", [TalkKey.struck]), ("  ", [.struck, .struck]), ("\r", [.end]), ("q", [.end]), ("\u{4}", [.end]),
            ("x", []), ("\u{1B}[?0u", [.reportsReleases]), ("\u{1B}[32u", [.pressed]), ("\u{1B}[32;1:1u", [.pressed]),
            ("\u{1B}[32;1:2u", []), ("\u{1B}[32;1:3u", [.released]), ("\u{1B}[32;5:3u", [.released]),
            ("\u{1B}[13u", [.end]), ("\u{1B}[13;1:3u", []), ("\u{1B}[99;5u", [.end]), ("\u{1B}[99u", []),
            ("\u{1B}[A", []), ("\u{1B}[1;5C ", [.struck]), ("\u{1B}[?62;4c", []), ("\u{1B}x ", [.struck]),
        ])
    func read(_ text: String, _ expected: [TalkKey]) { #expect(keys(text) == expected) }

    @Test("an endless sequence is given up, and what follows is read")
    func endless() {
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 200) + " ") == [.struck])
    }
}
