import Foundation
import Testing

@testable import ManifestLint

@Suite("Rules for manifests")
struct ManifestRuleTests {
    @Test("a good manifest passes without a finding, in each language")
    func good() throws {
        #expect(try LintFixture.findings(LintFixture.good()) == [])
        #expect(try LintFixture.findings(LintFixture.japanese()) == [])
        #expect(try LintFixture.findings(LintFixture.korean()) == [])
    }

    /// Keys to change in a good manifest, and what is then found; a key that is `nil` is taken out.
    static var cases: [(changes: [String: Any?], rule: LintRule, key: String)] {
        [
            (["NSMicrophoneUsageDescription": nil], .missingKey, "NSMicrophoneUsageDescription"),
            (["NSSpeechRecognitionUsageDescription": "  "], .missingKey, "NSSpeechRecognitionUsageDescription"),
            (["CFBundleIdentifier": nil], .missingKey, "CFBundleIdentifier"),
            (["CFBundleIdentifier": "unregistered.notes"], .wrongValue, "CFBundleIdentifier"),
            (["CFBundleExecutable": "notes"], .wrongValue, "CFBundleExecutable"),
            (["VoiceGateDataKinds": ["smell"]], .wrongValue, "VoiceGateDataKinds"),
            (["VoiceGateRecipients": nil], .undeclaredRecipients, "VoiceGateRecipients"),
            (["VoiceGateRecipients": [" "]], .blankRecipient, "VoiceGateRecipients"),
            (["VoiceGateRecipients": ["ex\u{202E}ample.org"]], .hiddenCharacters, "VoiceGateRecipients"),
            (
                ["NSMicrophoneUsageDescription": String(repeating: "To hear you. ", count: 31)], .cutOff,
                "NSMicrophoneUsageDescription"
            ),
            (["VoiceGateRecipients": [String(repeating: "x", count: 101)]], .cutOff, "VoiceGateRecipients"),
            (["VoiceGateRecipients": (1...21).map { "R\($0)" }], .wrongValue, "VoiceGateRecipients"),
            (["CFBundleDisplayName": "No\u{2066}tes"], .hiddenCharacters, "CFBundleDisplayName"),
            (["VoiceGateDataKinds": ["liveAudio", "recording"]], .undeclaredRetention, "VoiceGateRetention"),
            (["VoiceGateKeptByService": ["transcript": "P30D"]], .undeclaredKeeping, "VoiceGateKeptByService"),
            (
                [
                    "VoiceGateKeptByService": ["recording": "P30D"],
                    "VoiceGateRetention": "Thirty days, then it is deleted.",
                ], .undeclaredKeeping, "VoiceGateKeptByService"
            ),
            (["VoiceGateKeptByService": ["transcript": "long"]], .wrongValue, "VoiceGateKeptByService"),
            (
                ["VoiceGateDataKinds": ["liveAudio"], "VoiceGateRetention": "30 days, then deleted"],
                .retentionOfNothing, "VoiceGateRetention"
            ),
            (["VoiceGateRetention": "as long as necessary"], .vagueRetention, "VoiceGateRetention"),
            (["VoiceGateDataKinds": ["transcript"]], .unneededMicrophone, "NSMicrophoneUsageDescription"),
            (["UIBackgroundModes": ["audio"]], .unexplainedBackground, "NSMicrophoneUsageDescription"),
            (["UIBackgroundModes": ["audio"]], .missingAlwaysText, "NSMicrophoneAlwaysAndWhenInUseUsageDescription"),
            (
                ["VoiceGateLaunchCommand": ["/opt/notes/bin/notes"]], .missingAlwaysText,
                "NSSpeechRecognitionAlwaysAndWhenInUseUsageDescription"
            ),
            (LintFixture.withAlwaysTexts([:]), .unneededAlways, "NSMicrophoneAlwaysAndWhenInUseUsageDescription"),
            (
                [
                    "NSMicrophoneUsageDescription":
                        "Reads your contacts, so that you can choose whom to send the note to."
                ],
                .otherResource, "NSMicrophoneUsageDescription"
            ),
            (["UIBackgroundModes": ["location"]], .unknownBackgroundMode, "UIBackgroundModes"),
            (
                ["VoiceGateLaunchCommand": ["/opt/notes/bin/notes", "--woken"]], .unexplainedAlways,
                "VoiceGateLaunchCommand"
            ),
            (["VoiceGateLaunchCommand": ["notes"]], .wrongValue, "VoiceGateLaunchCommand"),
            (["VoiceGateLaunchCommand": ["/opt/none"]], .missingProgram, "VoiceGateLaunchCommand"),
            (["CFBundleExecutable": "/opt/none"], .missingProgram, "CFBundleExecutable"),
            (["CFBundleExecutable": "/opt/open"], .writableProgram, "CFBundleExecutable"),
            (["CFBundleExecutable": "/opt/runner"], .codeRunner, "CFBundleExecutable"),
            (["CFBundleExecutable": "/opt/text"], .notExecutable, "CFBundleExecutable"),
            (["CFBundleExecutable": "/usr/bin/python3.11"], .missingKey, "VoiceGateScript"),
            (
                ["CFBundleExecutable": "/usr/bin/python3.11", "VoiceGateScript": "/opt/none.py"], .missingProgram,
                "VoiceGateScript"
            ),
            (
                ["CFBundleExecutable": "/usr/bin/python3.11", "VoiceGateScript": "/opt/open"], .writableProgram,
                "VoiceGateScript"
            ),
            (["VoiceGatePurpose": "lorem ipsum dolor"], .placeholder, "VoiceGatePurpose"),
            (
                ["VoiceGateTemporaryFullFidelityUsageDescriptionDictionary": ["Meeting": "Needs the microphone."]],
                .vague, "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary.Meeting"
            ),
            (
                [
                    "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary": [
                        "Meeting": "To write down the whole meeting."
                    ]
                ],
                .purposeWithoutPhrases, "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary"
            ),
            (
                ["VoiceGateContextPhrases": ["room twelve", "room 12"]], .unspokenContextPhrase,
                "VoiceGateContextPhrases"
            ),
        ]
    }

    @Test("each rule finds what breaks it", arguments: cases.indices)
    func broken(index: Int) throws {
        let (changes, rule, key) = Self.cases[index]
        let findings = try LintFixture.findings(LintFixture.good(changes))
        #expect(findings.contains { $0.rule == rule && $0.key == key }, "\(findings)")
    }

    @Test("a rule no longer reports a problem that was fixed")
    func mended() throws {
        let mended: [[String: Any?]] = [
            ["VoiceGateDataKinds": ["liveAudio", "recording"], "VoiceGateRetention": "30 days, then it is deleted"],
            ["VoiceGateDataKinds": ["transcript"], "NSMicrophoneUsageDescription": nil],
            LintFixture.withAlwaysTexts([
                "UIBackgroundModes": ["audio"],
                "NSMicrophoneUsageDescription":
                    "Goes on in the background, so that a long note is written down. Nothing of it is kept.",
            ]),
            LintFixture.withAlwaysTexts(["UIBackgroundModes": ["audio"]]),
            LintFixture.withAlwaysTexts([
                "VoiceGateLaunchCommand": ["/opt/notes/bin/notes"],
                "VoiceGatePurpose": "To begin a note when you say so, even when it is closed.",
            ]),
            ["CFBundleExecutable": "/usr/bin/python3.11", "VoiceGateScript": "/opt/text"],
            ["CFBundleExecutable": "/app/bin/inside", "VoiceGateFlatpakID": "org.example.Notes"],
            [
                "VoiceGatePhrases": ["new note"],
                "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary": [
                    "Meeting": "To write down the whole meeting."
                ],
            ],
            ["VoiceGateContextPhrases": ["Kelmscott Press", "room twelve"]],
        ]
        for changes in mended { #expect(try LintFixture.findings(LintFixture.good(changes)) == []) }
    }

    @Test("several things are found at once, errors first, and each says what to write")
    func several() throws {
        let findings = try LintFixture.findings(
            LintFixture.japanese([
                "CFBundleExecutable": "notes", "VoiceGateLaunchCommand": ["notes"],
                "NSMicrophoneUsageDescription": "Location access required", "VoiceGateRetention": "必要な期間",
            ]))
        #expect(findings.map(\.rule) == [.wrongValue, .wrongValue, .wrongLanguage, .vague, .vagueRetention])
        #expect(findings[2].example?.contains("マイク") == true)
        #expect(findings.allSatisfy { $0.message.hasSuffix(".") })
    }

    @Test("a text that does not say what happens to the audio is a hint; declared items count too")
    func handling() throws {
        let silent = "Listens while you hold the key, so that you can dictate."
        let changes: [String: Any?] = [
            "NSMicrophoneUsageDescription": silent,
            "NSSpeechRecognitionUsageDescription": "Turns what you say into text.",
        ]
        let undeclared = changes.merging(["VoiceGateRecipients": nil as Any?]) { _, new in new }
        #expect(
            try LintFixture.findings(LintFixture.good(undeclared)).map(\.rule) == [.undeclaredRecipients, .noHandling])
        #expect(try LintFixture.findings(LintFixture.good(changes)) == [])
    }

    @Test("without a declared language, texts are compared, and a language other than English must be declared")
    func undeclaredLanguage() throws {
        var japanese = LintFixture.japanese()
        japanese["CFBundleDevelopmentRegion"] = nil
        #expect(try LintFixture.findings(japanese).map(\.rule) == [.undeclaredLanguage])
        japanese["NSMicrophoneUsageDescription"] = "Listens while you hold the key, so that you can dictate a note."
        #expect(try LintFixture.findings(japanese).map(\.rule) == [.wrongLanguage])
        var english = LintFixture.good()
        english["CFBundleDevelopmentRegion"] = nil
        #expect(try LintFixture.findings(english) == [])
    }

    @Test(
        "input that is not a manifest at all is one finding", arguments: ["", "not a plist", "<plist><array/></plist>"])
    func unreadable(text: String) {
        let findings = LintFixture.programs.findings(manifest: Data(text.utf8))
        #expect(findings.map(\.rule) == [.unreadable])
    }

    @Test("a translation is held to its folder's language, must be whole, and cannot keep what is not kept")
    func translations() throws {
        let good = """
            "NSSpeechRecognitionUsageDescription" = "音声をテキストに変換するために音声認識を使用します。";
            "NSMicrophoneUsageDescription" = "音声入力機能を使用するためにマイクへのアクセスが必要です。";
            "VoiceGatePurpose" = "音声メモを書きとめるため。";
            """
        #expect(try LintFixture.findings(LintFixture.good(), ["ja": good]) == [])
        let wrong = try LintFixture.findings(LintFixture.good(), ["ko": good])
        #expect(wrong.map(\.rule) == [.wrongLanguage, .wrongLanguage, .wrongLanguage])
        #expect(wrong.allSatisfy { $0.file == "ko.lproj/InfoPlist.strings" })
        let partial = #""NSSpeechRecognitionUsageDescription" = "マイクを使用します";"#
        #expect(
            try LintFixture.findings(LintFixture.good(), ["ja": partial]).map(\.rule)
                == [.vague, .missingTranslation, .missingTranslation])
        let keeping = good + "\n\"VoiceGateRetention\" = \"永久に保存\";"
        #expect(try LintFixture.findings(LintFixture.good(), ["ja": keeping]).map(\.rule) == [.retentionOfNothing])
        #expect(try LintFixture.findings(LintFixture.good(), ["fr": good]).map(\.rule) == [.unusedTranslation])
        #expect(try LintFixture.findings(LintFixture.good(), ["ja": "no strings"]).map(\.rule) == [.unreadable])
    }

    @Test("every rule has a case here or among the descriptions, and a severity")
    func complete() {
        let elsewhere: Set<LintRule> = [
            .unreadable, .onlyName, .emptyPromise, .noBenefit, .tooShort, .tooLong, .wrongLanguage,
            .undeclaredLanguage, .noHandling, .missingTranslation, .unusedTranslation,
        ]
        #expect(Set(Self.cases.map(\.rule)).union(elsewhere) == Set(LintRule.allCases))
    }

    @Test("background audio without the microphone is explained by the description that there is")
    func backgroundWithoutMicrophone() throws {
        let findings = try LintFixture.findings(
            LintFixture.good([
                "NSMicrophoneUsageDescription": nil, "VoiceGateDataKinds": ["transcript"],
                "UIBackgroundModes": ["audio"],
            ]))
        #expect(findings.map(\.rule) == [.unexplainedBackground, .missingAlwaysText])
        #expect(findings.allSatisfy { $0.key?.hasPrefix("NSSpeechRecognition") == true })
    }
}
