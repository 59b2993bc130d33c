import Authorization
import SocketAPI
import Speech
import Testing

@testable import Commands

@Suite("The command line in the person's language")
struct CommandWordingTests {
    @Test("statuses: each its own sentence, and the command in it is the same in every language")
    func statuses() {
        for status in AuthorizationStatus.allCases {
            let reply = AuthorizationReply(
                client: "a.b", name: "B", speechRecognition: status, microphone: .authorized, problems: [])
            let texts = Language.allCases.map { StatusText.lines(reply, language: $0).joined(separator: "\n") }
            #expect(Set(texts).count == Language.allCases.count)
            for text in texts {
                #expect(text.contains("voicegate settings a.b --deny microphone"))
                #expect(text.contains("voicegate settings a.b --allow speechRecognition") == (status == .denied))
                #expect(text.contains("voicegate request speechRecognition") == (status == .notDetermined))
            }
        }
    }

    @Test("columns stand below each other, though a kana takes two")
    func table() {
        let reply = AuthorizationReply(
            client: "a.b", name: "B", speechRecognition: .restricted, microphone: .restricted, problems: [])
        let lines = StatusText.lines(reply, language: .japanese)
        #expect(lines[1] == "  音声認識  管理者のポリシーで制限されています")
        #expect(lines[2] == "  マイク    管理者のポリシーで制限されています")
    }

    @Test("a dictation that lost its permission says so, with the command", arguments: Language.allCases)
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
