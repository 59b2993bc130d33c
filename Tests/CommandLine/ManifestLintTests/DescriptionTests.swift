import Testing

@testable import ManifestLint

@Suite("Rules for descriptions")
struct DescriptionTests {
    @Test(
        "the good examples of Apple's developers pass",
        arguments: [
            "音声入力機能を使用するためにマイクへのアクセスが必要です。",
            "音声をテキストに変換するために音声認識を使用します。",
            "テキストを話すだけで入力できます。マイクと音声認識の権限が必要です。",
            "音声入力機能を使用するためにマイクへのアクセスが必要です。" + "音声データはテキスト変換のみに使用され、サーバーには保存されません。",
        ])
    func goodExamples(text: String) { #expect(LintFixture.rules(text, language: "ja") == []) }

    @Test(
        "a good text about another resource does not describe the microphone",
        arguments: [
            ("現在地を地図上に表示し、周辺のスポットを検索するために位置情報を使用します。", "ja"),
            ("目的地への到着を通知するために、バックグラウンドでも位置情報を使用します。", "ja"),
            ("バックグラウンドでのナビゲーションのために位置情報を使用します。", "ja"),
            ("現在地周辺のレストランを検索するために位置情報を使用します", "ja"),
            ("地図上であなたの位置を表示し、目的地への経路を案内するために位置情報を使用します", "ja"),
            ("周辺のスポットを検索したり、現在地から目的地への経路を表示するために、位置情報へのアクセスが必要です。", "ja"),
            ("正確なナビゲーションのために、一時的に正確な位置情報が必要です。", "ja"),
            ("より正確な検索結果を表示するために、正確な位置情報が必要です。", "ja"),
            ("Shows restaurants near your location on the map, so that you find one quickly.", "en"),
            ("Uses the camera to scan the code on your ticket, so that you need not type it.", "en"),
            ("Reads your contacts, so that you can choose whom to send the note to.", "en"),
            ("주변 식당을 찾기 위해 현재 위치를 사용합니다. 서버에 저장되지 않습니다.", "ko"),
            ("프로필 사진을 고르기 위해 사진 보관함을 사용합니다.", "ko"),
        ])
    func otherResource(text: String, language: String) {
        #expect(LintFixture.rules(text, language: language) == [.otherResource])
        // A purpose is not about one resource.
        let purpose = DescriptionLint(file: "Info.plist", key: "VoiceGatePurpose", resource: nil, language: language)
        #expect(purpose.findings(text).isEmpty)
    }

    @Test(
        "a text may name another resource beside what is heard",
        arguments: [
            ("Listens while you hold the key, so that you can say which photo to open.", "en"),
            ("位置情報を声で検索できるようにマイクを使用します。音声は保存されません。", "ja"),
            ("말로 위치를 찾을 수 있도록 마이크를 사용합니다. 소리는 저장되지 않습니다.", "ko"),
        ])
    func besideOther(text: String, language: String) { #expect(LintFixture.rules(text, language: language) == []) }

    @Test(
        "their bad examples are found",
        arguments: [
            ("マイクを使用します", [LintRule.vague]), ("位置情報が必要です", [.vague]), ("マイクの権限が必要です", [.vague]),
            ("Location access required", [.wrongLanguage, .vague]), ("권한 내용", [.wrongLanguage, .placeholder]),
        ] as [(String, [LintRule])])
    func badExamples(text: String, rules: [LintRule]) { #expect(LintFixture.rules(text, language: "ja") == rules) }

    @Test("the Korean notes' placeholder is one in a Korean client too")
    func koreanPlaceholder() { #expect(LintFixture.rules("권한 내용", language: "ko") == [.placeholder]) }

    @Test(
        "texts that only ask are vague",
        arguments: [
            ("This app needs the microphone", "en"), ("We would like to use your microphone.", "en"),
            ("This app requires access to the microphone in order to function.", "en"),
            ("Microphone access is required.", "en"), ("音声認識の許可が必要です。", "ja"),
            ("このアプリはマイクへのアクセスを求めています。", "ja"), ("マイクを利用するために許可してください", "ja"),
            ("마이크를 사용합니다", "ko"), ("이 앱은 마이크 접근 권한이 필요합니다.", "ko"), ("마이크 사용을 허용해 주세요", "ko"),
            ("위치 접근 권한이 필요합니다", "ko"),
        ])
    func vague(text: String, language: String) { #expect(LintFixture.rules(text, language: language) == [.vague]) }

    @Test(
        "a text that only repeats the resource's name",
        arguments: [("Microphone", "en"), ("Speech Recognition.", "en"), ("マイク", "ja"), ("음성 인식", "ko")])
    func onlyName(text: String, language: String) {
        #expect(LintFixture.rules(text, language: language) == [.onlyName])
    }

    @Test(
        "promises that fit every program",
        arguments: [
            ("Uses the microphone to improve your experience with recordings.", "en"),
            ("サービス向上のために録音データとマイクを使用します。", "ja"), ("더 나은 서비스를 위해 녹음과 마이크를 사용합니다.", "ko"),
        ])
    func emptyPromise(text: String, language: String) {
        #expect(LintFixture.rules(text, language: language) == [.emptyPromise])
    }

    @Test(
        "no benefit said",
        arguments: [
            ("The microphone records sound and speech samples.", "en"), ("マイクで周囲の会話を録音します。", "ja"),
            ("마이크로 주변의 대화를 녹음합니다.", "ko"),
        ])
    func noBenefit(text: String, language: String) {
        #expect(LintFixture.rules(text, language: language) == [.noBenefit])
    }

    @Test(
        "placeholders",
        arguments: [
            "Lorem ipsum dolor sit amet", "TODO: explain", "Your usage description here", "$(MICROPHONE_TEXT)", "test",
            "<#reason#>", "-",
        ])
    func placeholder(text: String) { #expect(LintFixture.rules(text, language: "en") == [.placeholder]) }

    @Test("too short to explain, though it names something")
    func tooShort() {
        #expect(LintFixture.rules("For voice notes.", language: "en") == [.tooShort])
        #expect(LintFixture.rules("メモを書くため", language: "ja") == [.tooShort])
    }

    @Test("too long to be read")
    func tooLong() {
        let sentence = "Listens while you hold the key, so that you can dictate a note to your notebook. "
        #expect(LintFixture.rules(String(repeating: sentence, count: 4), language: "en") == [.tooLong])
    }

    @Test(
        "characters that hide or turn the writing",
        arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{E000}", "\u{2800}", "\u{3164}"])
    func hidden(characters: String) throws {
        let text = "Listens while you hold the key, \(characters)so that you can dictate a note."
        func rules(_ key: String, _ text: Any) throws -> [LintRule] {
            try LintFixture.findings(LintFixture.good([key: text])).map(\.rule)
        }
        #expect(try rules("NSMicrophoneUsageDescription", text) == [.hiddenCharacters])
        #expect(try rules("NSMicrophoneUsageDescription", text.replacing(characters, with: "")) == [])
        #expect(try rules("VoiceGatePhrases", ["next \(characters)page"]) == [.hiddenCharacters])
    }

    @Test(
        "a text in another language than the client's",
        arguments: [
            ("Listens while you hold the key, so that you can dictate.", "ja"),
            ("Listens while you hold the key, so that you can dictate.", "ko"),
            ("Listens while you hold the key, so that you can dictate.", "de"),
            ("音声をテキストに変換するために音声認識を使用します。", "en"), ("音声をテキストに変換するために音声認識を使用します。", "ko"),
            ("말한 내용을 글로 바꾸기 위해 음성 인식을 사용합니다.", "ja_JP"), ("말한 내용을 글로 바꾸기 위해 음성 인식을 사용합니다.", "English"),
            ("Слушает, пока вы удерживаете клавишу.", "en-GB"),
        ])
    func otherLanguage(text: String, language: String) {
        #expect(LintFixture.rules(text, language: language).contains(.wrongLanguage))
    }

    @Test(
        "a text in the client's language, also with foreign names in it",
        arguments: [
            ("VoiceGateとNotesの音声メモをテキストに変換するために使用します。", "ja"),
            ("Lets you dictate into 家計簿 while you hold the key.", "en"), ("Notes 앱에서 말한 내용을 글로 바꾸기 위해 사용합니다.", "ko"),
            ("Hört zu, während Sie die Taste halten, damit Sie eine Notiz diktieren.", "de-DE"),
            ("Слушает, пока вы удерживаете клавишу.", "ru"),
        ])
    func sameLanguage(text: String, language: String) {
        #expect(!LintFixture.rules(text, language: language).contains(.wrongLanguage))
    }

    @Test("every example that is offered passes the rules itself")
    func examples() {
        for (language, vocabulary) in Vocabulary.all {
            for text in [
                vocabulary.microphoneExample, vocabulary.speechExample, vocabulary.backgroundExample,
                vocabulary.purposeExample,
            ] { #expect(LintFixture.rules(text, language: language) == [], "\(text)") }
            #expect(vocabulary.contains(vocabulary.background, in: vocabulary.backgroundExample))
            #expect(vocabulary.contains(vocabulary.handling, in: vocabulary.microphoneExample))
            #expect(!vocabulary.contains(vocabulary.vagueRetentions, in: vocabulary.retentionExample))
        }
    }
}
