import Speech
import Testing

@testable import Commands

@Suite("What the person sees of a dictation")
struct DictationDisplayTests {
    private func partial(_ text: String) -> DictationEvent { .partial(PartialTranscript(text: text, stablePrefix: 0)) }
    private func final(_ text: String) -> DictationEvent { .final(Transcript(text: text, start: 0, end: 1, words: [])) }

    @Test("live text gives way to the final text, which is the only result")
    func text() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        #expect(
            display.actions(for: .started(session: "s", device: "mic", grants: [:]))
                == [.note("Listening on mic. Ctrl-C stops.")])
        #expect(display.actions(for: partial("go for")) == [.live("go for")])
        #expect(display.actions(for: final("go forward")) == [.live(""), .text("go forward")])
        #expect(display.actions(for: final("")) == [.live("")])
        #expect(display.actions(for: .ended(.ended, message: nil)) == [.live("")])
    }

    @Test("noise is told of once, and again only after something was understood")
    func noise() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        let note = DictationDisplay.Action.note(
            "Too noisy: speech is 9 dB above the noise, and 20 dB are needed. Move closer to the microphone.")
        _ = display.actions(for: partial("knee high"))
        #expect(display.actions(for: .noisy(decibels: 9.4)) == [.live("knee high"), note])
        #expect(display.actions(for: final("")) == [.live("")])
        #expect(display.actions(for: .noisy(decibels: 8)) == [.live("")])
        #expect(display.actions(for: final("")) == [.live("")])
        _ = display.actions(for: final("go forward"))
        #expect(display.actions(for: .noisy(decibels: 9.4)) == [.live(""), note])
    }

    @Test("without partial text only the level is live")
    func level() {
        var display = DictationDisplay(client: "a.b", showsPartial: false, showsLevel: true)
        #expect(display.actions(for: partial("go for")).isEmpty)
        #expect(display.actions(for: .level(-30)) == [.live("[#####     ]")])
        #expect(display.actions(for: final("ten")) == [.live("[#####     ]"), .text("ten")])
    }

    @Test("it listens again only when no reason for a pause is left")
    func pauses() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        _ = display.actions(for: .started(session: "s", device: "mic", grants: [:]))
        let background = DictationDisplay.Action.note(
            "Not listening in the background; speech is dropped. To continue: fg")
        #expect(display.actions(for: .paused(reason: .background)) == [.live(""), background])
        #expect(display.actions(for: .paused(reason: .suspended)).last == .note("Not listening for now."))
        #expect(display.actions(for: .resumed(reason: .suspended)) == [background])
        #expect(display.actions(for: .resumed(reason: .background)) == [.note("Listening again on mic.")])
    }

    @Test(
        "an ending that the person did not choose is explained",
        arguments: [
            (DictationEnding.revoked, "voicegate settings a.b --allow microphone"), (.restricted, "policy"),
            (.deviceLost, "--wait-for-device"), (.failed, "again"), (.serviceStopped, "stopped"),
        ])
    func endings(_ ending: DictationEnding, _ words: String) {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        guard case .warning(let text) = display.actions(for: .ended(ending, message: nil)).last else {
            Issue.record("\(ending) is not explained")
            return
        }
        #expect(text.contains(words))
    }
}
