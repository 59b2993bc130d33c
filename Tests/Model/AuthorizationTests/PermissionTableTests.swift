@testable import Authorization
import TestSupport
import Testing

/// `checkAndRequestPermissions()` of the source on a real gate, and what a refusal says of the status.
@Suite("The table of the two permissions")
struct PermissionTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let speech: AuthorizationStatus
        let microphone: AuthorizationStatus
        /// What it comes to, and how many prompts are shown, if the person allows each; and if they deny.
        let allowing: (AuthorizationStatus, Int)
        let denying: (AuthorizationStatus, Int)

        init(
            _ speech: AuthorizationStatus, _ microphone: AuthorizationStatus, _ allowing: (AuthorizationStatus, Int),
            _ denying: (AuthorizationStatus, Int)
        ) {
            (self.speech, self.microphone, self.allowing, self.denying) = (speech, microphone, allowing, denying)
        }

        var testDescription: String { "\(speech), \(microphone)" }
    }

    static let rows: [Row] = [
        Row(.notDetermined, .notDetermined, (.authorized, 2), (.denied, 1)),
        Row(.notDetermined, .restricted, (.denied, 1), (.denied, 1)),
        Row(.notDetermined, .denied, (.denied, 1), (.denied, 1)),
        Row(.notDetermined, .authorized, (.authorized, 1), (.denied, 1)),
        Row(.restricted, .notDetermined, (.restricted, 0), (.restricted, 0)),
        Row(.restricted, .restricted, (.restricted, 0), (.restricted, 0)),
        Row(.restricted, .denied, (.restricted, 0), (.restricted, 0)),
        Row(.restricted, .authorized, (.restricted, 0), (.restricted, 0)),
        Row(.denied, .notDetermined, (.denied, 0), (.denied, 0)),
        Row(.denied, .restricted, (.denied, 0), (.denied, 0)),
        Row(.denied, .denied, (.denied, 0), (.denied, 0)),
        Row(.denied, .authorized, (.denied, 0), (.denied, 0)),
        Row(.authorized, .notDetermined, (.authorized, 1), (.denied, 1)),
        Row(.authorized, .restricted, (.denied, 0), (.denied, 0)),
        Row(.authorized, .denied, (.denied, 0), (.denied, 0)),
        Row(.authorized, .authorized, (.authorized, 0), (.authorized, 0)),
    ]

    private let requester = Samples.requester()

    /// A gate at which the two resources have these statuses.
    private func gate(
        _ statuses: [Resource: AuthorizationStatus], _ ledger: (([Decision]) -> RecordingLedger), _ agent: StandInAgent
    ) async throws -> Gate {
        let decisions = statuses.compactMap { resource, status -> Decision? in
            guard status == .denied || status == .authorized else { return nil }
            let isGrant = status == .authorized
            return Decision(
                key: requester.key(for: resource), verdict: isGrant ? .authorized : .denied,
                program: isGrant ? AllowedProgram(requester.caller.executable) : nil,
                terms: isGrant ? Samples.terms() : nil, indication: .terminal,
                decidedAt: WorldClock().now.date, record: 0)
        }
        let rules = statuses.filter { $0.value == .restricted }.map {
            PolicyRule(resource: $0.key, client: nil, user: nil, reason: nil)
        }
        let gate = try await Gate(ledger: ledger(decisions), agent: agent, policy: Policy(rules: rules))
        for (resource, status) in statuses { #expect(await gate.status(of: resource, for: requester) == status) }
        return gate
    }

    @Test(
        "A2 each pair of statuses has the source's outcome and number of prompts, whatever is answered and requested",
        arguments: rows, [Scope.whileInUse, .always])
    func outcome(_ row: Row, _ scope: Scope) async throws {
        for (answer, expected) in [(Answer.whileInUse, row.allowing), (.deny, row.denying)] {
            var ledger = RecordingLedger()
            let agent = StandInAgent { _ in answer }
            let gate = try await gate(
                [.speechRecognition: row.speech, .microphone: row.microphone],
                {
                    ledger = RecordingLedger(decisions: $0)
                    return ledger
                }, agent)
            let outcome = await gate.checkAndRequest(for: requester, scope: scope)
            #expect(outcome.status == expected.0)
            #expect((outcome.refusal == nil) == (expected.0 == .authorized))
            #expect(agent.prompts.count == expected.1)
            #expect(agent.prompts.allSatisfy { $0.question == .firstUse })
            // Always is requested for both or for none.
            let upgrades = ledger.eventNames.count { $0 == "upgradeRequested" }
            #expect(upgrades == (scope == .always && expected.0 == .authorized ? 2 : 0))
        }
    }

    @Test("the table has each pair once")
    func complete() { #expect(Set(Self.rows.map(\.testDescription)).count == 16) }

    @Test(
        "a session that is refused says of the status what the client reads",
        arguments: AuthorizationStatus.allCases, [Presence.foreground, .background])
    func statusOfRefusal(_ status: AuthorizationStatus, _ presence: Presence) async throws {
        let gate = try await gate([.microphone: status], RecordingLedger.init, StandInAgent())
        let requester = Samples.requester(presence: presence)
        do {
            let grant = try await gate.microphoneGrant(for: requester)
            #expect(status == .authorized && presence == .foreground)
            await gate.finish(grant.lease)
        } catch {
            #expect(error.status == status)
            #expect((error.code == .notInUse) == (status == .authorized))
        }
    }

    @Test("a refusal in the background does not reveal whether an always is provisional")
    func provisional() async throws {
        var messages: Set<String> = []
        for scope in [Scope.whileInUse, .always] {
            let gate = try await gate([.microphone: .authorized], RecordingLedger.init, StandInAgent())
            if scope == .always { _ = await gate.requestAlways(.microphone, for: requester) }
            #expect(
                await gate.standing(of: .microphone, for: requester).terms?.isProvisionalAlways == (scope == .always))
            let refusal = await #expect(throws: AuthorizationError.self) {
                try await gate.microphoneGrant(for: Samples.requester(presence: .background))
            }
            #expect(refusal?.code == .notInUse)
            messages.insert(try #require(refusal?.message))
        }
        #expect(messages.count == 1)
    }
}
