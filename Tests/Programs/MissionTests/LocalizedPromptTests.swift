import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("B. Around the prompt: in the person's language", .timeLimit(.minutes(5)))
struct LocalizedPromptTests {
    @Test(
        "B3 the explanation before the answer: what, why, how long, who; and later stores no decision",
        arguments: [
            (
                "ja_JP.UTF-8", "ja", "「VoiceGate 音声入力」がマイクの使用を求めています。", ["収集", "目的", "保存", "共有"],
                "[l] 後で", "今回は許可しませんでした。"
            ),
            (
                "ko_KR.UTF-8", "ko", "“VoiceGate 받아쓰기” 프로그램이 마이크를 사용하려고 합니다.", ["수집", "목적", "보관", "공유"],
                "[l] 나중에", "지금은 허용하지 않았습니다."
            ),
            (
                "de_DE.UTF-8", "en", "“VoiceGate dictation” would like to use the microphone.",
                ["Collected", "Purpose", "Kept", "Shared"], "[l] Later", "Not allowed now"
            ),
        ] as [(String, String, String, [String], String, String)])
    func explanation(
        locale: String, language: String, title: String, items: [String], later: String, outcome: String
    ) async throws {
        let service = try await ServiceUnderTest()
        let variables = ["LANG": locale, "NO_COLOR": "1"]
        let request = try service.atTerminal(["request", "microphone"], variables: variables)
        try await request.shows(later)
        for text in items.map({ "│ \($0)  " }) + [title] { #expect(request.count(of: text) == 1) }
        try await request.press("l", until: outcome)
        #expect(await request.end() == 77)
        let records = try await service.records()
        let shown = try #require(records.first { $0.kind == "notice.shown" })
        #expect(shown.text("language") == language)
        #expect(shown.text("notice")?.hasPrefix(title) == true)
        #expect(!records.contains { $0.kind == "decision.granted" || $0.kind == "decision.denied" })
        let (_, output, _) = try await service.run(["status", "--json"])
        #expect(output.joined().contains(#""microphone":"notDetermined""#))
    }

    @Test("B5 a refusal says what was denied, when, and which command changes it, and no prompt is shown again")
    func denied() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        let command = "voicegate settings io.voicegate.cli --allow speechRecognition"
        for (locale, text) in [
            ("C", "You did not allow VoiceGate dictation to use speech recognition ("),
            ("ja_JP.UTF-8", "あなたはVoiceGate 音声入力による音声認識の使用を許可しませんでした（"),
            ("ko_KR.UTF-8", "VoiceGate 받아쓰기 프로그램이 음성 인식을 사용하도록 허용하지 않으셨습니다("),
        ] {
            let refused = try await service.run(["dictate"], variables: ["LC_ALL": locale])
            #expect(refused.status == 77)
            #expect(refused.errors.contains(text))
            #expect(refused.errors.contains(command))
        }
        #expect(try await service.records().count { $0.kind == "notice.shown" } == 1)
        #expect(try await service.run(Array(command.split(separator: " ").dropFirst().map(String.init))).status == 0)
        let (_, output, _) = try await service.run(["status", "--json"])
        #expect(output.joined().contains(#""speechRecognition":"authorized""#))
    }
}
