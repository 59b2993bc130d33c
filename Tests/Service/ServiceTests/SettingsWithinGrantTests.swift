import Foundation
import Testing

@testable import Authorization
@testable import Service

/// A change within the grant in force needs neither a password nor the foreground; any other grant needs both.
@Suite("Changes of settings that permit nothing more")
struct SettingsWithinGrantTests {
    private static let program = AllowedProgram(sha256: String(repeating: "a", count: 64), path: "/usr/bin/notes")
    private let key: DecisionKey

    init() throws {
        let client = try #require(ClientIdentifier(rawValue: "org.example.notes"))
        key = DecisionKey(user: 1000, client: client, resource: .speechRecognition)
    }

    private func standing(
        _ scope: Scope = .always, _ fidelity: Fidelity = .full, status: AuthorizationStatus = .authorized,
        keeping kept: KeepingTimes = [:]
    ) -> SettledStanding {
        let decision = Decision(
            key: key, verdict: status == .denied ? .denied : .authorized, program: Self.program,
            terms: status == .denied ? nil : Terms(scope: scope, fidelity: fidelity, kept: kept), indication: .settings,
            decidedAt: Date())
        return SettledStanding(
            key: key, status: status, decision: decision, restriction: nil, isAllowedOnce: false, question: nil,
            expiresAt: nil, reviewAt: nil)
    }

    @Test(
        "a narrower or equal scope and fidelity is within the grant; a wider one is not",
        arguments: [Scope.whileInUse, .always], [Fidelity.reduced, .full])
    func terms(scope: Scope, fidelity: Fidelity) {
        func isWithin(_ standing: SettledStanding) -> Bool {
            standing.permits(scope, fidelity, program: Self.program, keeping: [:])
        }
        #expect(isWithin(standing(.always, .full)))
        #expect(isWithin(standing(.whileInUse, .full)) == (scope == .whileInUse))
        #expect(isWithin(standing(.always, .reduced)) == (fidelity == .reduced))
    }

    @Test(
        "nothing is within a grant that is not in force",
        arguments: AuthorizationStatus.allCases.filter { $0 != .authorized })
    func notInForce(status: AuthorizationStatus) {
        let standing = standing(status: status)
        #expect(!standing.permits(.whileInUse, .reduced, program: Self.program, keeping: [:]))
    }

    @Test("another program, and a manifest that keeps something else, are not within the grant")
    func others() {
        let other = AllowedProgram(sha256: String(repeating: "b", count: 64), path: "/usr/bin/notes")
        #expect(!standing().permits(.whileInUse, .full, program: other, keeping: [:]))
        #expect(!standing().permits(.whileInUse, .full, program: nil, keeping: [:]))
        #expect(!standing().permits(.whileInUse, .full, program: Self.program, keeping: [.transcript: .untilWithdrawn]))
        let keeping = standing(keeping: [.transcript: .untilWithdrawn])
        #expect(keeping.permits(.whileInUse, .full, program: Self.program, keeping: [.transcript: .untilWithdrawn]))
    }
}
