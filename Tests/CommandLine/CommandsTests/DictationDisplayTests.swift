import Authorization
import Foundation
import Speech
import Testing
@testable import Commands
@testable import SocketAPI

@Suite("The display of a dictation")
struct DictationDisplayTests {
    private func partial(_ text: String) -> DictationEvent { .partial(PartialTranscript(text: text, stablePrefix: 0)) }
    private func final(_ text: String) -> DictationEvent { .final(Transcript(text: text, start: 0, end: 1, words: [])) }

    @Test("final text replaces live text and is the only result")
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

    @Test("unreliable text is kept, with a note where the noise begins")
    func noise() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        let note = DictationDisplay.Action.note(
            "The text is unreliable: speech is 9 dB above the noise, and 20 dB are needed. Move closer to the microphone."
        )
        func noisy(_ text: String) -> DictationEvent {
            .final(Transcript(text: text, start: 0, end: 1, words: [], noisyDecibels: 9.4))
        }
        _ = display.actions(for: partial("knee high"))
        #expect(display.actions(for: noisy("knee high")) == [.live(""), .text("knee high"), note])
        #expect(display.actions(for: noisy("by")) == [.live(""), .text("by")])
        #expect(display.actions(for: final("")) == [.live("")])
        #expect(display.actions(for: noisy("and")) == [.live(""), .text("and")])
        #expect(display.actions(for: final("go forward")) == [.live(""), .text("go forward")])
        #expect(display.actions(for: noisy("by")) == [.live(""), .text("by"), note])
    }

    @Test("a microphone without sound is named with its level and the next step")
    func noSound() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        _ = display.actions(for: .started(session: "s", device: "mic", grants: [:]))
        #expect(
            display.actions(for: .noSound(decibels: -96)) == [
                .warning(
                    "mic has given no sound for 5 s (-96 dB): it may be muted, or the wrong one. To choose: voicegate setup microphone"
                )
            ])
    }

    @Test("words on the screen stay if the service or the recogniser fails, and not if the user cancels")
    func unfinished() {
        let note = DictationDisplay.Action.note(
            "The last words may be incomplete: they were still being recognised.")
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false)
        _ = display.actions(for: partial("go for"))
        #expect(display.actionsAtEnd(keepsWords: true) == [.live(""), .text("go for"), note])
        #expect(display.actionsAtEnd(keepsWords: true) == [.live("")])
        _ = display.actions(for: partial("go for"))
        #expect(
            display.actions(for: .ended(.serviceStopped, message: "Stopped."))
                == [.live(""), .text("go for"), note, .warning("Stopped.")])
        _ = display.actions(for: partial("go for"))
        #expect(display.actions(for: .ended(.revoked, message: nil)).count == 2)
    }

    @Test("lost sound is named with its cause, and not if it was less than a millisecond")
    func lostSound() {
        var display = DictationDisplay(client: "a.b", showsPartial: false, showsLevel: false)
        #expect(display.actions(for: .overrun(lostFrames: 15)).isEmpty)
        let busy = display.actions(for: .overrun(lostFrames: 160))
        #expect(busy == [.warning("10 ms of sound were lost because the machine was too busy.")])
        let suspended = display.actions(for: .overrun(lostFrames: 160, cause: .suspended))
        #expect(
            suspended
                == [.warning("10 ms of sound were lost while the machine or the microphone was suspended.")])
    }

    @Test("a grammar's user is told when something else was said")
    func otherSpeech() {
        let nothing = DictationEvent.final(Transcript(text: "", start: 0, end: 1, words: []))
        var display = DictationDisplay(client: "a.b", showsPartial: false, showsLevel: false)
        #expect(display.actions(for: nothing) == [.live("")])
        display.hasGrammar = true
        #expect(display.actions(for: nothing) == [.live(""), .note("What was said is not in the grammar.")])
    }

    @Test("with push to talk the space bar is named, and a circle of the same width says whether it listens")
    func pushToTalk() throws {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: true, isPushToTalk: true)
        let started = display.actions(for: .started(session: "s", device: "mic", grants: [:]))
        #expect(started.count == 2 && started.last == .live("○"))
        guard case .note(let text) = started.first else { return #expect(Bool(false), "\(started)") }
        #expect(text.hasPrefix("Not listening yet. Press the space bar"))
        #expect(display.actions(for: .paused(reason: .suspended)) == [.live("○ [..........]")])
        #expect(display.actions(for: .resumed(reason: .suspended)) == [.live("● [..........]")])
        #expect(display.actions(for: .level(-30)) == [.live("● [#####.....]")])
        #expect(display.actions(for: .ended(.ended, message: nil)) == [.live("")])
    }

    @Test("a pause that is over when it is read, such as after fg, is not announced")
    func outdated() {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false, isInForeground: { true })
        _ = display.actions(for: .started(session: "s", device: "mic", grants: [:]))
        #expect(display.actions(for: .paused(reason: .background)) == [.live("")])
        #expect(display.actions(for: .resumed(reason: .background)) == [.note("Listening again on mic.")])
    }

    @Test("without partial text only the level is live")
    func level() {
        var display = DictationDisplay(client: "a.b", showsPartial: false, showsLevel: true)
        #expect(display.actions(for: partial("go for")).isEmpty)
        #expect(display.actions(for: .level(-30)) == [.live("[#####.....]")])
        #expect(display.actions(for: final("ten")) == [.live("[#####.....]"), .text("ten")])
    }

    @Test("it listens again only after every pause has ended")
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
        "an ending that the user did not choose is explained",
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

@Suite("Keys for push to talk")
struct TalkKeyReaderTests {
    private func keys(_ text: String) -> [TalkKey] {
        var reader = TalkKeyReader()
        return text.utf8.compactMap { reader.key($0) }
    }

    @Test(
        "plain keys and keys of kitty's protocol",
        arguments: [
            (" ", [TalkKey.struck]), ("  ", [.struck, .struck]), ("\r", [.end]), ("q", [.end]), ("\u{4}", [.end]),
            ("x", []), ("\u{1B}[?0u", [.reportsReleases]), ("\u{1B}[32u", [.pressed]), ("\u{1B}[32;1:1u", [.pressed]),
            ("\u{1B}[32;1:2u", []), ("\u{1B}[32;1:3u", [.released]), ("\u{1B}[32;5:3u", [.released]),
            ("\u{1B}[13u", [.end]), ("\u{1B}[13;1:3u", []), ("\u{1B}[99;5u", [.end]), ("\u{1B}[99u", []),
            ("\u{1B}[A", []), ("\u{1B}[1;5C ", [.struck]), ("\u{1B}[?62;4c", []), ("\u{1B}x ", [.struck]),
        ])
    func read(_ text: String, _ expected: [TalkKey]) { #expect(keys(text) == expected) }

    @Test("an endless sequence is dropped, and the next key is read")
    func endless() { #expect(keys("\u{1B}[" + String(repeating: "1", count: 200) + " ") == [.struck]) }
}

@Suite("Tones")
struct ToneTests {
    @Test("tones are short and quiet, start and end in silence, and differ")
    func samples() throws {
        for tone in Tone.allCases {
            let samples = tone.samples
            #expect(samples.count == 5_760)
            #expect(abs(Int(samples.first ?? 1)) < 10 && abs(Int(samples.last ?? 1)) < 10)
            let peak = try #require(samples.map { abs(Int($0)) }.max())
            #expect(peak > 5_000 && peak < 6_600)
        }
        #expect(Tone.start.samples != Tone.stop.samples)
    }

    @Test("the start tone rises and the stop tone falls")
    func pitch() {
        func crossings(_ samples: ArraySlice<Int16>) -> Int {
            zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        }
        for tone in Tone.allCases {
            let samples = tone.samples
            let (first, second) = (crossings(samples.prefix(2_880)), crossings(samples.suffix(2_880)))
            #expect(tone == .start ? first < second : first > second)
        }
    }
}

@Suite("The command line in the user's language")
struct CommandWordingTests {
    @Test("each status has its own sentence, and its command is the same in every language")
    func statuses() {
        for status in AuthorizationStatus.allCases {
            let reply = AuthorizationReply(
                client: "a.b", name: "B", speechRecognition: status, microphone: .authorized, problems: [])
            let texts = Language.allCases.map { StatusText.lines(reply, language: $0).joined(separator: "\n") }
            #expect(Set(texts).count == Language.allCases.count)
            for text in texts {
                #expect(text.hasSuffix("voicegate settings"))
                #expect(text.contains("voicegate settings a.b --allow speechRecognition") == (status == .denied))
                #expect(text.contains("voicegate request speechRecognition") == (status == .notDetermined))
            }
        }
    }

    @Test("columns are aligned although a kana is two columns wide")
    func table() {
        let reply = AuthorizationReply(
            client: "a.b", name: "B", speechRecognition: .restricted, microphone: .restricted, problems: [])
        let lines = StatusText.lines(reply, language: .japanese)
        #expect(lines[1] == "  音声認識  管理者のポリシーで制限されています")
        #expect(lines[2] == "  マイク    管理者のポリシーで制限されています")
    }

    @Test("a dictation that lost its permission reports it with the command to allow it", arguments: Language.allCases)
    func revoked(language: Language) {
        var display = DictationDisplay(client: "a.b", showsPartial: true, showsLevel: false, language: language)
        let actions = display.actions(for: .ended(.revoked, message: nil))
        guard case .warning(let text)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(text.hasSuffix("voicegate settings a.b --allow microphone"))
        #expect(text.contains("withdrawn") == (language == .english))
    }

    @Test("the live line counts columns")
    func liveLine() {
        #expect(LiveLine.fitted("日本語の文", width: 8) == "…語の文")
        #expect(LiveLine.fitted("日本語", width: 8) == "日本語")
    }
}
