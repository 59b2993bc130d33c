import Foundation

@testable import ManifestLint

/// Manifests for the rules, as property lists.
enum LintFixture {
    /// One that no rule finds fault with.
    static func good(_ changes: [String: Any?] = [:]) -> [String: Any] {
        var entries: [String: Any] = [
            "CFBundleIdentifier": "org.example.Notes", "CFBundleDisplayName": "Notes",
            "CFBundleExecutable": "/opt/notes/bin/notes", "CFBundleDevelopmentRegion": "en",
            "NSSpeechRecognitionUsageDescription": "Turns what you say into the text of your note, on this machine.",
            "NSMicrophoneUsageDescription":
                "Listens while you hold the key, so that you can dictate a note. Nothing of it is kept.",
            "VoiceGateDataKinds": ["liveAudio", "transcript"], "VoiceGatePurpose": "To write down your notes.",
            "VoiceGateRecipients": [String](),
        ]
        for (key, value) in changes { entries[key] = value }
        return entries
    }

    /// Changes that put something in the background, and the texts that its question needs.
    static func withAlwaysTexts(_ changes: [String: Any?]) -> [String: Any?] {
        var changes = changes
        changes["NSMicrophoneAlwaysAndWhenInUseUsageDescription"] =
            "Goes on listening in the background, so that a long note is written down."
        changes["NSSpeechRecognitionAlwaysAndWhenInUseUsageDescription"] =
            "Turns what you say into the text of your note while you use another window."
        return changes
    }

    static func japanese(_ changes: [String: Any?] = [:]) -> [String: Any] {
        good([
            "CFBundleDevelopmentRegion": "ja",
            "NSSpeechRecognitionUsageDescription": "音声をテキストに変換するために音声認識を使用します。",
            "NSMicrophoneUsageDescription": "音声入力機能を使用するためにマイクへのアクセスが必要です。",
            "VoiceGatePurpose": "音声メモを書きとめるため。",
        ]).merging(changes.compactMapValues { $0 }) { _, new in new }
    }

    static func korean(_ changes: [String: Any?] = [:]) -> [String: Any] {
        good([
            "CFBundleDevelopmentRegion": "ko",
            "NSSpeechRecognitionUsageDescription": "말한 내용을 메모의 글로 바꾸기 위해 음성 인식을 사용합니다.",
            "NSMicrophoneUsageDescription": "메모를 받아쓰기 위해 마이크를 사용합니다. 소리는 이 기기에 저장되지 않습니다.",
            "VoiceGatePurpose": "메모를 받아쓰기 위해",
        ]).merging(changes.compactMapValues { $0 }) { _, new in new }
    }

    static let programs = ManifestLint { path in
        switch path {
        case "/opt/notes/bin/notes", "/usr/bin/python3.11": ProgramFacts(isExecutable: true, isWritableByAll: false)
        case "/opt/open": ProgramFacts(isExecutable: true, isWritableByAll: true)
        case "/opt/runner":
            ProgramFacts(isExecutable: true, isWritableByAll: false, codeRunner: "/usr/bin/tool runs in it")
        case "/opt/text": ProgramFacts(isExecutable: false, isWritableByAll: false)
        default: nil
        }
    }

    static func findings(_ entries: [String: Any], _ translations: [String: String] = [:]) throws -> [LintFinding] {
        let data = try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
        return programs.findings(manifest: data, translations: translations.mapValues { Data($0.utf8) })
    }

    /// What is found in one description of the microphone, in a client of the language.
    static func rules(_ text: String, language: String?) -> [LintRule] {
        DescriptionLint(
            file: "Info.plist", key: "NSMicrophoneUsageDescription", resource: .microphone, language: language
        ).findings(text).map(\.rule)
    }
}
