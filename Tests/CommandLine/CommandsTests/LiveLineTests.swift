import Testing

@testable import Commands

@Suite("The line that is drawn again")
struct LiveLineTests {
    @Test("shows the end of what is too wide, and leaves a column free")
    func fitted() {
        #expect(LiveLine.fitted("go forward", width: 11) == "go forward")
        #expect(LiveLine.fitted("go forward", width: 10) == "… forward")
        #expect(LiveLine.fitted("go", width: 1) == "…")
        #expect(LiveLine.fitted("", width: 80).isEmpty)
    }

    @Test("what is heard cannot move the cursor")
    func cleaned() {
        #expect(LiveLine.fitted("a\n\u{1B}[2Jb", width: 80) == "a [2Jb")
    }

    @Test("draws over the old text without clearing it first, and not at all when nothing changed")
    func drawing() {
        var line = LiveLine()
        #expect(line.clearing() == nil)
        #expect(line.drawing("go", width: 80) == "\rgo\u{1B}[K")
        #expect(line.drawing("go", width: 80) == nil)
        #expect(line.clearing() == "\r\u{1B}[K")
        #expect(line.redrawing() == "\rgo\u{1B}[K")
        #expect(line.drawing("", width: 80) == "\r\u{1B}[K")
        #expect(line.redrawing() == nil)
    }

    @Test(
        "a level's bar is full at full scale and empty in a quiet room",
        arguments: [
            (0.0, 10), (-30.0, 5), (-60.0, 0), (-96.0, 0), (3.0, 10),
        ])
    func level(_ decibels: Double, _ filled: Int) {
        #expect(LevelBar.text(decibels).count { $0 == "#" } == filled)
        #expect(LevelBar.text(decibels).count == LevelBar.cells + 2)
    }

    @Test("a table's columns stand one below the other, without spaces at a line's end")
    func table() {
        #expect(TextTable.lines([["A", "B"], ["long", "x"], ["s"]]) == ["A     B", "long  x", "s"])
    }
}
