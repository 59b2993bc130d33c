import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("Data that VoiceGate may keep")
struct KeepingTests {
    private static let month: KeepingTimes = [.transcript: .limited(30, .days)]

    // MARK: Times

    @Test(
        "a keeping time is one number with one unit, or untilWithdrawn",
        arguments: [
            ("P30D", 2_592_000), ("PT12H", 43_200), ("P1Y", 31_536_000), ("P10Y", 315_360_000),
            ("P6M", 15_552_000), ("PT6M", 360), ("P2W", 1_209_600), ("PT1S", 1), ("P3650D", 315_360_000),
            ("P007D", 604_800),
        ] as [(String, Int64)])
    func times(text: String, seconds: Int64) throws {
        let time = try #require(KeepingTime(text))
        #expect(time.milliseconds == seconds * 1000)
        #expect(KeepingTime(time.text) == time)
    }

    @Test(
        "other text is not a keeping time",
        arguments: [
            "", "P", "PT", "P0D", "PT0S", "P-1D", "P+1D", "P1", "1D", "30", "P1.5D", "P1DT1H", "P1Y6M", "p30d", "P30D ",
            "P3651D", "P11Y", "PT1D", "P1H", "P1S", "P９D", "P99999999999999999999D", "P9223372036854775807Y", "P 1D",
            "forever", "untilwithdrawn",
        ])
    func otherTexts(_ text: String) { #expect(KeepingTime(text) == nil) }

    @Test("the shorter of two times counts, and a kind that one of them lacks is not kept")
    func limits() {
        let declared: KeepingTimes = [
            .transcript: .limited(30, .days), .recording: .untilWithdrawn, .microphoneProfile: .limited(1, .years),
        ]
        let agreed: KeepingTimes = [.transcript: .limited(1, .years), .recording: .limited(7, .days)]
        let both: KeepingTimes = [.transcript: .limited(30, .days), .recording: .limited(7, .days)]
        #expect(declared.limited(by: agreed) == both)
        #expect(agreed.limited(by: declared) == both)
        #expect(declared.limited(by: [:]).isEmpty)
    }

    // MARK: Manifests

    private func manifest(_ keys: [String: Any]) throws -> Manifest {
        let entries: [String: Any] = [
            "CFBundleIdentifier": "org.example.Notes", "CFBundleExecutable": "/usr/bin/notes",
            "NSMicrophoneUsageDescription": "To hear you.",
        ].merging(keys) { $1 }
        return try Manifest(
            propertyList: PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0))
    }

    @Test("a manifest's request to keep data counts only if the kind and a retention are declared too")
    func declared() throws {
        let kept = ["transcript": "P30D", "recording": "PT12H"]
        let all: [String: Any] = [
            "VoiceGateKeptByService": kept, "VoiceGateRetention": "A month.",
            "VoiceGateDataKinds": ["liveAudio", "transcript", "recording"],
        ]
        let times: KeepingTimes = [.transcript: .limited(30, .days), .recording: .limited(12, .hours)]
        #expect(try manifest(all).practices.kept == times)
        #expect(try manifest(all.filter { $0.key != "VoiceGateRetention" }).practices.kept.isEmpty)
        #expect(try manifest(all.filter { $0.key != "VoiceGateDataKinds" }).practices.kept == Self.month)
        #expect(try manifest([:]).practices.kept.isEmpty)
    }

    @Test(
        "an unknown kind or time is an error, and live audio is never kept",
        arguments: [
            ["transcript": "a month"], ["liveAudio": "P1D"], ["audio": "P1D"], ["transcript": "P0D"],
            ["transcript": "P11Y"],
        ])
    func undeclarable(_ kept: [String: String]) {
        let error = #expect(throws: ManifestError.self) { try manifest(["VoiceGateKeptByService": kept]) }
        #expect(error?.code == .invalidValue && error?.key == "VoiceGateKeptByService")
    }

    // MARK: The notice

    @Test("the notice says in the person's language what VoiceGate keeps, and the hashed text includes that")
    func notice() throws {
        let client = Client(
            manifest: Samples.manifest(kept: [.transcript: .limited(30, .days), .recording: .untilWithdrawn]))
        let texts: [Language: [String]] = [
            .english: [
                "A month. — VoiceGate keeps the recognised text for 30 days, encrypted, on this computer. — VoiceGate "
                    + "keeps recordings until you take the permission back or erase it, encrypted, on this computer."
            ],
            .japanese: [
                "VoiceGateは認識されたテキストを暗号化し、このコンピューターに30日間保存します。",
                "VoiceGateは録音を暗号化し、このコンピューターに許可を取り消すか消去するまで保存します。",
            ],
            .korean: [
                "VoiceGate가 인식된 텍스트를 암호화하여 이 컴퓨터에 30일 동안 보관합니다.",
                "VoiceGate가 녹음을 암호화하여 이 컴퓨터에 허용을 취소하거나 삭제할 때까지 보관합니다.",
            ],
        ]
        for (language, parts) in texts {
            let notice = try #require(Notice(client: client, resource: .microphone, language: language))
            for part in parts {
                #expect(notice.items[2].text.contains(part), "\(language): \(notice.items[2].text)")
                #expect(notice.text.contains(part))
            }
        }
    }

    @Test("a single unit is singular")
    func singular() {
        let wording = Language.english.wording
        #expect(wording.retention(.limited(1, .years)) == "1 year")
        #expect(wording.retention(.limited(12, .hours)) == "12 hours")
    }
}
