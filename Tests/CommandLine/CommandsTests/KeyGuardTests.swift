import Testing

@testable import Commands

@Suite("Keys of the full-screen settings")
struct KeyGuardTests {
    private let start = ContinuousClock.now

    private func typed(_ text: String) -> [ScreenKey] { text.map { .character($0) } }

    @Test("a single key is the user's, and so is an arrow that is held")
    func keys() {
        var keys = KeyGuard()
        #expect(keys.accepted(typed("a"), at: start) == typed("a"))
        #expect(keys.accepted([.down, .down, .down], at: start) == [.down, .down, .down])
    }

    @Test("a paste is ignored, with the pieces that follow it at once")
    func paste() {
        var keys = KeyGuard()
        #expect(keys.accepted(typed("alwa"), at: start) == nil)
        #expect(keys.accepted(typed("y"), at: start + .milliseconds(30)) == nil)
        #expect(keys.accepted(typed("s"), at: start + .milliseconds(70)) == nil)
        #expect(keys.accepted(typed("d"), at: start + .milliseconds(200)) == typed("d"))
    }

    @Test("a key in the first half second of a question does not answer it, and each question has its own")
    func early() {
        var keys = KeyGuard()
        keys.isAsking(true, at: start)
        keys.isAsking(true, at: start + .milliseconds(400))
        #expect(keys.accepted(typed("y"), at: start + .milliseconds(499)) == nil)
        #expect(keys.accepted(typed("y"), at: start + .milliseconds(500)) == typed("y"))
        keys.isAsking(false, at: start + .milliseconds(600))
        #expect(keys.accepted(typed("d"), at: start + .milliseconds(610)) == typed("d"))
        keys.isAsking(true, at: start + .milliseconds(700))
        #expect(keys.accepted(typed("y"), at: start + .milliseconds(800)) == nil)
    }
}
