import Authorization
import Foundation
import TestSupport
import Testing
@testable import Authorization

@Suite("Texts in three languages")
struct WordingTests {
    static let questions: [Question] = [
        .firstUse,
        .identityChanged(
            previous: AllowedProgram(sha256: "abcdef0123456789", path: "/opt/old"),
            current: AllowedProgram(sha256: "9876543210fedcba", path: "/opt/new")),
        .termsWidened, .upgradeToAlways, .review, .temporaryFullFidelity(purpose: "A separate text."),
    ]

    private func notice(
        _ question: Question = .firstUse, _ resource: Resource = .microphone, in language: Language = .english,
        of manifest: Manifest = Samples.manifest()
    ) throws -> Notice {
        try #require(
            Notice(client: Client(manifest: manifest), resource: resource, question: question, language: language))
    }

    @Test("the notice of each question names the client and the four items", arguments: Language.allCases)
    func notices(language: Language) throws {
        let wording = language.wording
        var titles: Set<String> = []
        for question in Self.questions {
            let notice = try notice(question, in: language)
            #expect(notice.language == language)
            #expect(notice.title.contains("Editor"))
            titles.insert(notice.title)
            let names = [wording(.collected), wording(.purpose), wording(.kept), wording(.shared)]
            #expect(notice.items.map(\.name) == names)
            for item in notice.items { #expect(notice.text.contains("\(item.name): \(item.text)")) }
            #expect(notice.items[2].text == wording(.nothingIsKept))
            #expect(notice.items[3].text == wording(.sharedWithNobody))
        }
        #expect(titles.count == Self.questions.count)
    }

    @Test("the question about a changed program says how much larger or smaller it is, if that is known")
    func growth() throws {
        func title(_ before: Int64?, _ now: Int64) throws -> String {
            let question = Question.identityChanged(
                previous: AllowedProgram(sha256: "00", path: "/opt/old", size: before),
                current: AllowedProgram(sha256: "11", path: "/opt/new", size: now))
            return try notice(question).title
        }
        #expect(try title(23, 33).hasSuffix("(11), 10 bytes larger."))
        #expect(try title(33, 32).hasSuffix("(11), 1 byte smaller."))
        #expect(try title(33, 33).hasSuffix("(11), of the same size."))
        #expect(try title(nil, 33).hasSuffix("(11)."))
    }

    @Test("a refusal without a manifest names where its errors are, and what to do", arguments: Language.allCases)
    func missingManifest(language: Language) {
        func refusal(of caller: Caller?) -> String {
            let client = Samples.requester().client.identifier
            return AuthorizationError(.noManifest, .microphone, client, name: "Notes", language, of: caller).message
        }
        let caller = Samples.requester().caller
        for (text, next) in [(refusal(of: nil), "/clients"), (refusal(of: caller), "manifest new")] {
            #expect(text.contains("voicegate status") && text.contains(next), "\(text)")
        }
    }

    @Test("the notice of a first use in Japanese and Korean")
    func firstUse() throws {
        let japanese = try notice(in: .japanese)
        #expect(japanese.title == "「Editor」がマイクの使用を求めています。")
        #expect(japanese.items[0].text == "マイクの音声、認識されたテキスト")
        let korean = try notice(.firstUse, .speechRecognition, in: .korean)
        #expect(korean.title == "“Editor” 프로그램이 음성 인식을 사용하려고 합니다.")
        #expect(korean.items[3].text == "누구와도 공유하지 않습니다")
    }

    @Test("a prompt for full fidelity shows the purpose's text", arguments: Language.allCases)
    func temporary(language: Language) throws {
        let notice = try notice(
            .temporaryFullFidelity(purpose: "A separate text."), .speechRecognition, in: language)
        #expect(notice.usageDescription == "A separate text.")
    }

    @Test(
        "every answer has a name and an outcome, and the names within a question differ", arguments: Language.allCases)
    func answers(language: Language) {
        for question in Self.questions {
            let answers = question.answers()
            let names = answers.map { language.wording.name(of: $0, among: AnswerSet(answers)) }
            #expect(Set(names).count == answers.count)
        }
        #expect(Set(Answer.allCases.map(language.wording.outcome)).count == Answer.allCases.count)
    }

    @Test("the set of answers is recognised from the answers alone")
    func answerSets() {
        #expect(
            Self.questions.map { AnswerSet($0.answers()) }
                == [.firstUse, .firstUse, .firstUse, .upgrade, .review, .temporary])
        #expect(AnswerSet(Question.firstUse.answers(onceAtMost: true)) == .firstUse)
    }

    @Test("a refusal has the same code and command in every language, and its message in the caller's")
    func refusals() {
        let denied = Decision(
            key: Samples.requester().key(for: .microphone), verdict: .denied, program: nil, terms: nil,
            indication: .terminal, decidedAt: Date(timeIntervalSince1970: 1_795_262_400))
        let command = "voicegate settings org.example.Editor --allow microphone"
        for (language, text) in [
            (Language.english, "You did not allow Editor to use the microphone (2026-11-2"),
            (.japanese, "あなたはEditorによるマイクの使用を許可しませんでした（2026年11月2"),
            (.korean, "Editor 프로그램이 마이크를 사용하도록 허용하지 않으셨습니다(2026년 11월 2"),
        ] {
            let plain = Samples.requester()
            let requester = Requester(
                caller: plain.caller, client: plain.client, presence: .foreground, language: language)
            let error = AuthorizationError(for: .denied(denied), .microphone, requester)
            #expect(error.code == .denied)
            #expect(error.settings == command)
            #expect(error.message.hasPrefix(text))
            #expect(error.message.hasSuffix(command))
        }
    }

    @Test("a translation replaces texts, never the kinds of data or whether anything is kept")
    func translation() throws {
        var manifest = Samples.manifest()
        manifest.localizations[.japanese] = ManifestTexts(
            name: "エディタ", usageDescriptions: [.microphone: "話した内容を書きとめるために、マイクを使用します。"],
            retention: "永久に保存します。", temporaryFullFidelityPurposes: ["Invented": "発明"])
        let japanese = try notice(in: .japanese, of: manifest)
        #expect(japanese.title.contains("「エディタ」"))
        #expect(japanese.usageDescription == "話した内容を書きとめるために、マイクを使用します。")
        #expect(japanese.items[2].text == "何も保存されません")
        #expect(manifest.localized(in: .japanese).temporaryFullFidelityPurposes.isEmpty)
        let english = try notice(of: manifest)
        #expect(english.title.contains("“Editor”"))
        #expect(!english.text.contains("エディタ"))
        // Text without a translation stays.
        #expect(manifest.localized(in: .japanese).usageDescriptions[.speechRecognition]?.contains("To write") == true)
    }

    @Test("an InfoPlist.strings is read in Apple's format")
    func strings() throws {
        let text = """
            /* Shown in the prompt. */
            "CFBundleDisplayName" = "こえノート";
            NSMicrophoneUsageDescription = "話した\\"メモ\\"を書きとめます。";
            "Meeting" = "会議を書きとめるため、一時的にすべての言葉が必要です。"; // a purpose key
            """
        let texts = try ManifestTexts(strings: Data(text.utf8), purposeKeys: ["Meeting"])
        #expect(texts.name == "こえノート")
        #expect(texts.usageDescriptions == [.microphone: "話した\"メモ\"を書きとめます。"])
        #expect(texts.temporaryFullFidelityPurposes.keys.sorted() == ["Meeting"])
        #expect(texts.purpose == nil)
    }

    @Test(
        "an invalid translation, or one that could block the service, is an error",
        arguments: [
            "", "no strings", "\"a\" = \"b", "\"a\" = " + String(repeating: "(", count: 5_000), "\u{0}",
            "<plist><dict>" + String(repeating: "<dict>", count: 5_000), "\"NSMicrophoneUsageDescription\" = (a);",
        ])
    func badStrings(text: String) {
        #expect(throws: ManifestError.self) { try ManifestTexts(strings: Data(text.utf8), purposeKeys: []) }
    }
}

@Suite("Choosing the language")
struct LanguageTests {
    @Test("LC_ALL overrides LC_MESSAGES, which overrides LANG; an empty one does not count")
    func environment() {
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8"]) == .japanese)
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"]) == .korean)
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8", "LC_ALL": "C"]) == .english)
        #expect(Language(environment: ["LANG": "ko_KR.UTF-8@x", "LC_ALL": ""]) == .korean)
    }

    @Test(
        "an unknown language, or none, is English", arguments: ["de_DE.UTF-8", "xx", "", "POSIX", "C.UTF-8", "japan"])
    func unknown(locale: String) {
        #expect(Language(environment: ["LANG": locale]) == .english)
        #expect(Language(environment: [:]) == .english)
    }

    @Test(
        "a header names the language by weight",
        arguments: [
            ("ja", Language.japanese), ("ko-KR", .korean), ("de, ko;q=0.5, ja;q=0.9", .japanese),
            ("en;q=0.1,ko", .korean), ("JA", .japanese), ("ja;q=0, en", .english),
        ] as [(String, Language)])
    func header(text: String, language: Language) {
        #expect(Language(acceptLanguage: text) == language)
    }

    @Test("a header without a known language gives none", arguments: ["", "*", "de", ";;;", "ja;q=0", "q=1,,,"])
    func noLanguage(text: String) {
        #expect(Language(acceptLanguage: text) == nil)
    }
}
