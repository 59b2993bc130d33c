import Authorization
import Foundation
import TestSupport
import Testing

@Suite("What a monitor may")
struct GateMonitorTests {
    private let requester = Samples.requester(presence: .background, phrases: ["wake up"])

    private func gate(_ terms: Terms?, verdict: Verdict = .authorized) async throws -> Gate {
        let decisions = Resource.allCases.map {
            Decision(
                key: requester.key(for: $0), verdict: verdict,
                program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"), terms: terms, indication: .settings,
                decidedAt: Date(timeIntervalSince1970: 0))
        }
        return try await Gate(
            ledger: RecordingLedger(decisions: verdict == .denied || terms != nil ? decisions : []),
            agent: StandInAgent { _ in .deny })
    }

    private func monitor(_ kind: MonitorKind, _ action: MonitorAction) -> MonitorRegistration {
        MonitorRegistration(
            identifier: "m", user: 1000, client: requester.client.identifier, kind: kind, action: action)
    }

    @Test("starting a client needs a confirmed always; telling the person needs a yes while in use")
    func scopes() async throws {
        var provisional = Samples.terms()
        provisional.upgrade = .provisional
        let table: [(Terms, MonitorAction, MonitorPermission)] = [
            (Samples.terms(scope: .always), .start, .allowed), (Samples.terms(scope: .always), .notify, .allowed),
            (Samples.terms(), .start, .paused(.notInUse)), (Samples.terms(), .notify, .allowed),
            (provisional, .start, .paused(.notInUse)), (provisional, .notify, .allowed),
        ]
        for (terms, action, expected) in table {
            let gate = try await gate(terms)
            for kind in [MonitorKind.soundBegan, .keyPhrase("wake up")] {
                let monitor = monitor(kind, action)
                #expect(await gate.permission(of: monitor, for: requester) == expected)
                #expect(await (gate.refusal(of: monitor, for: requester) == nil) == (expected == .allowed))
            }
        }
    }

    @Test("a no and a withdrawal end it, a mute pauses it")
    func ends() async throws {
        let monitor = monitor(.soundBegan, .start)
        #expect(await (try gate(nil, verdict: .denied)).permission(of: monitor, for: requester) == .ended(.revoked))
        #expect(await (try gate(nil)).permission(of: monitor, for: requester) == .ended(.reset))
        let gate = try await gate(Samples.terms(scope: .always))
        try await gate.mute(by: requester.caller)
        #expect(await gate.permission(of: monitor, for: requester) == .paused(.muted))
        let changed = Samples.requester(sha256: "bb", presence: .background)
        try await gate.unmute(by: requester.caller)
        #expect(await gate.permission(of: monitor, for: changed) == .paused(.identityChanged))
    }

    @Test("at reduced fidelity only a phrase of the manifest is waited for")
    func fidelity() async throws {
        let gate = try await gate(Samples.terms(scope: .always, fidelity: .reduced))
        #expect(await gate.permission(of: monitor(.keyPhrase("wake up"), .start), for: requester) == .allowed)
        let other = monitor(.keyPhrase("secret"), .start)
        #expect(await gate.permission(of: other, for: requester) == .paused(.reducedFidelity))
        #expect(await gate.refusal(of: other, for: requester)?.code == .reducedFidelity)
    }

    @Test("a grant in the background for a yes while in use is for telling the person alone")
    func grants() async throws {
        let gate = try await gate(Samples.terms())
        let refused = await #expect(throws: AuthorizationError.self) {
            _ = try await gate.microphoneGrant(for: requester).lease
        }
        #expect(refused?.code == .notInUse)
        let grant = try await gate.microphoneGrant(for: requester, notifying: true)
        #expect(grant.lease.isLive)
    }
}
