import Foundation
import Testing

@testable import Commands

@Suite("Lines of a status that is followed")
struct ChangingLinesTests {
    @Test("the first state is whole; after it only what is new, with its time")
    func news() {
        var lines = ChangingLines()
        let now = Date(timeIntervalSince1970: 0)
        #expect(lines.news(in: ["Notes", "  Microphone  denied"], now: now) == ["Notes", "  Microphone  denied"])
        #expect(lines.news(in: ["Notes", "  Microphone  denied"], now: now).isEmpty)
        let changed = lines.news(in: ["Notes", "  Microphone  allowed"], now: now)
        #expect(changed.count == 1 && changed[0].hasSuffix(":00  Microphone  allowed"), "\(changed)")
        #expect(lines.news(in: ["Notes", "  Microphone  denied"], now: now).count == 1)
    }
}
