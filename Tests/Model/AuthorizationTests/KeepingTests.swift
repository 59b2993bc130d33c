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

    // MARK: The gate

    private let ledger = RecordingLedger()

    @discardableResult
    private func lease(_ gate: Gate, _ requester: Requester) async throws -> Lease {
        let grant = try await gate.microphoneGrant(for: requester)
        await gate.finish(grant.lease)
        return grant.lease
    }

    @Test("a grant agrees to what its notice showed, also for one session, and the stored answer contains that")
    func agreed() async throws {
        for answer in [Answer.whileInUse, .once] {
            let ledger = RecordingLedger()
            let requester = Samples.requester(kept: Self.month)
            let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in answer })
            #expect(await gate.request(.microphone, for: requester).status == .authorized)
            let stored = try await ledger.decisions().first?.terms?.agreed.kept
            #expect(stored == (answer == .once ? nil : Self.month))
            #expect(try await lease(gate, requester).kept == Self.month)
        }
    }

    @Test("a grant given before the manifest declared keeping does not cover it; settings cover what they show")
    func notAgreed() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .whileInUse })
        let before = Samples.requester()
        _ = await gate.request(.microphone, for: before)
        // The same program, with a manifest that has changed since.
        let after = Samples.requester(kept: Self.month)
        await #expect(throws: AuthorizationError.self) { try await lease(gate, after) }
        let key = after.key(for: .microphone)
        let program = AllowedProgram(after.caller.executable)
        try await gate.decide(.authorized, for: key, program: program, by: after.caller)
        await #expect(throws: AuthorizationError.self, "nothing was shown") { try await lease(gate, after) }
        let notice = Notice(settingsOf: Samples.manifest(kept: Self.month), resource: .microphone)
        try await gate.decide(.authorized, for: key, program: program, notice: notice, by: after.caller)
        #expect(try await lease(gate, after).kept == Self.month)
    }

    @Test("changing a grant in settings leaves what was agreed; a denial and a new grant do not")
    func settings() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in .whileInUse })
        let requester = Samples.requester(kept: Self.month)
        _ = await gate.request(.microphone, for: requester)
        let key = requester.key(for: .microphone)
        let program = AllowedProgram(requester.caller.executable)
        try await gate.decide(.authorized, for: key, program: program, scope: .always, by: requester.caller)
        #expect(try await lease(gate, requester).kept == Self.month)
        try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
        try await gate.decide(.authorized, for: key, program: program, by: requester.caller)
        await #expect(throws: AuthorizationError.self) { try await lease(gate, requester) }
    }

    @Test("the answer to a review can reduce what is kept")
    func review() async throws {
        let agent = StandInAgent { $0.question == .firstUse ? .whileInUse : .always }
        let gate = try await Gate(ledger: ledger, agent: agent)
        _ = await gate.requestAlways(.microphone, for: Samples.requester(kept: Self.month))
        // The manifest declares less by the time of the second question.
        let week: KeepingTimes = [.transcript: .limited(1, .weeks)]
        #expect(await gate.askAtQuietMoment(user: 1000, Samples.requester(kept: week)) == 1)
        let terms = try #require(try await ledger.decisions().first?.terms)
        #expect(terms.scope == .always && terms.agreed.kept == week)
    }
}
