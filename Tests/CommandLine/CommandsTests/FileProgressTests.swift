import Testing

@testable import Commands

@Suite("Progress of a sound file")
struct FileProgressTests {
    private let start = ContinuousClock.now

    @Test("the time left is that of what is left, at the speed of what this run has done")
    func left() {
        var progress = FileProgress(from: 0)
        progress.advance(to: 0, of: 600, at: start)
        progress.advance(to: 10, of: 600, at: start.advanced(by: .seconds(1)))
        #expect(progress.left == nil && progress.percent == 1)
        progress.advance(to: 60, of: 600, at: start.advanced(by: .seconds(6)))
        #expect(progress.left == 54 && progress.percent == 10)
    }

    @Test("what an earlier run has done is read again without a time, and then does not count")
    func resumed() {
        var progress = FileProgress(from: 300)
        progress.advance(to: 0, of: 600, at: start)
        progress.advance(to: 200, of: 600, at: start.advanced(by: .seconds(3)))
        #expect(progress.left == nil && progress.percent == 33)
        progress.advance(to: 300, of: 600, at: start.advanced(by: .seconds(4)))
        progress.advance(to: 320, of: 600, at: start.advanced(by: .seconds(24)))
        #expect(progress.left == 280)
    }

    @Test("a duration that is too short gives neither a share nor a time")
    func wrongHeader() {
        var progress = FileProgress(from: 0)
        progress.advance(to: 1, of: 5, at: start)
        progress.advance(to: 9, of: 5, at: start.advanced(by: .seconds(9)))
        #expect(progress.left == nil && progress.percent == nil)
    }
}
