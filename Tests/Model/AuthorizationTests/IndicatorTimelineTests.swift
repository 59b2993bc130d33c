import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("Current and recent uses")
struct IndicatorTimelineTests {
    let start = ContinuousClock.now
    let date = Date(timeIntervalSince1970: 1_000_000)

    func use(
        _ identifier: String, client: String = "org.example.Editor", user: UInt32 = 1000, at seconds: Double = 0
    ) -> IndicatedUse {
        IndicatedUse(
            identifier: identifier, requester: Samples.requester(client, user: user),
            resources: [.speechRecognition, .microphone], device: "mic", presence: .foreground,
            startedAt: date.addingTimeInterval(seconds))
    }

    func shown(_ timeline: IndicatorTimeline, after seconds: Double, user: UInt32 = 1000) -> [String] {
        timeline.entries(ofUser: user, at: start + .seconds(seconds)).map { "\($0.use.identifier) \($0.phase)" }
    }

    @Test(
        "a use is now while it runs, lately for fifteen seconds after its end, and then removed",
        arguments: [
            (0, ["a lately"]), (5, ["a lately"]), (14.999, ["a lately"]), (15, []), (3600, []),
        ] as [(Double, [String])])
    func phases(seconds: Double, expected: [String]) {
        var timeline = IndicatorTimeline()
        timeline.begin(use("a"))
        #expect(shown(timeline, after: 100_000) == ["a now"])
        timeline.end("a", at: start, date)
        #expect(shown(timeline, after: seconds) == expected)
    }

    @Test("the entries change fifteen seconds after an end, and then no longer by themselves")
    func nextChange() {
        var timeline = IndicatorTimeline()
        #expect(timeline.nextChange(after: start) == nil)
        timeline.begin(use("a"))
        #expect(timeline.nextChange(after: start) == nil)
        timeline.end("a", at: start, date)
        #expect(timeline.nextChange(after: start) == start + .seconds(15))
        #expect(timeline.nextChange(after: start + .seconds(15)) == nil)
        timeline.prune(at: start + .seconds(14))
        #expect(!timeline.isEmpty)
        timeline.prune(at: start + .seconds(15))
        #expect(timeline.isEmpty)
    }

    @Test(
        "running uses come first in the order of their beginning, then ended ones, the latest first; users see only their own"
    )
    func order() {
        var timeline = IndicatorTimeline()
        timeline.begin(use("old", client: "a.a", at: 0))
        timeline.begin(use("older", client: "a.b", at: 1))
        timeline.begin(use("second", client: "a.c", at: 3))
        timeline.begin(use("first", client: "a.d", at: 2))
        timeline.begin(use("theirs", user: 1001))
        timeline.end("older", at: start, date)
        timeline.end("old", at: start + .seconds(1), date)
        #expect(shown(timeline, after: 2) == ["first now", "second now", "old lately", "older lately"])
        #expect(shown(timeline, after: 2, user: 1001) == ["theirs now"])
        #expect(shown(timeline, after: 2, user: 1002) == [])
    }

    @Test("a client that begins repeatedly displaces only its own entries")
    func flood() {
        var timeline = IndicatorTimeline()
        timeline.begin(use("quiet", client: "org.example.quiet"))
        timeline.end("quiet", at: start, date)
        for number in 0..<1000 {
            timeline.begin(use("\(number)"))
            timeline.end("\(number)", at: start + .milliseconds(number), date)
        }
        #expect(shown(timeline, after: 1) == ["999 lately", "998 lately", "997 lately", "996 lately", "quiet lately"])
    }

    @Test(
        "a use that failed before anything was heard is not shown as having listened; ending an unknown use does nothing"
    )
    func failed() {
        var timeline = IndicatorTimeline()
        timeline.begin(use("a"))
        timeline.end("a", hasListened: false, at: start, date)
        timeline.end("b", at: start, date)
        #expect(timeline.isEmpty)
    }

    @Test("a use whose device does not close is shown as running until the device is released")
    func held() {
        var timeline = IndicatorTimeline()
        timeline.begin(use("a"))
        timeline.hold("a")
        timeline.hold("unknown")
        timeline.release(except: ["mic"], at: start, date)
        #expect(shown(timeline, after: 3_600) == ["a now"])
        #expect(timeline.entries(ofUser: 1000, at: start).map(\.use.isHeld) == [true])
        timeline.release(except: [], at: start, date)
        #expect(shown(timeline, after: 6) == ["a lately"])
    }

    @Test("the client's presence changes while it runs, and only a different value counts as a change")
    func presence() {
        var timeline = IndicatorTimeline()
        timeline.begin(use("a"))
        let changes = [
            timeline.setPresence(.foreground, of: "a"), timeline.setPresence(.background, of: "a"),
            timeline.setPresence(.background, of: "a"), timeline.setPresence(.background, of: "b"),
        ]
        #expect(changes == [false, true, false, false])
        #expect(timeline.entries(ofUser: 1000, at: start).map(\.use.presence) == [.background])
    }

    @Test(
        "an invisible name is replaced by the identifier, and no name can break out of its line",
        arguments: [
            ("音声メモ", "音声メモ"), ("", "a.b"), (" \u{3164}\u{2800} ", "a.b"), ("\u{200B}\u{202E}", "a.b"),
            ("\u{301}", "a.b"), ("A\nB\u{1B}[2K", "A B [2K"), ("A\u{3164}B", "AB"),
        ])
    func names(name: String, expected: String) {
        #expect(ShownName.text(name, of: Samples.identifier("a.b")) == expected)
    }
}
