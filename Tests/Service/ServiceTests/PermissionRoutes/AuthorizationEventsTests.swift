import Authorization
import SocketAPI
import Synchronization
import TestSupport
import Testing

@testable import PermissionRoutes

@Suite("The stream of a client's permissions")
struct AuthorizationEventsTests {
    private let before = Samples.requester()
    private let after = Samples.requester(recipients: ["Example GmbH"])

    /// The status of the microphone, if the event has it.
    private func status(_ event: AuthorizationEvent?) -> AuthorizationStatus? {
        switch event {
        case .state(_, _, let resources), .changed(_, _, let resources): resources[.microphone]?.status
        default: nil
        }
    }

    @Test("each event is about the client as its manifest is then, and the stream ends with its identity")
    func requester() async throws {
        let gate = try await Gate(ledger: RecordingLedger(), agent: StandInAgent())
        let current = Mutex<Requester?>(before)
        var events = AuthorizationEvents(
            gate: gate, user: before.caller.user, requester: { current.withLock { $0 } }, after: nil,
            problems: ProblemBoard(clients: try .ofCommandLine()))
        #expect(status(await events.next()) == .notDetermined)
        func allow(_ client: Client) async throws {
            try await gate.decide(
                .authorized, for: before.key(for: .microphone), program: AllowedProgram(before.caller.executable),
                notice: Notice(client: client, resource: .microphone), by: before.caller)
        }
        try await allow(before.client)
        #expect(status(await events.next()) == .authorized)
        current.withLock { $0 = after }
        try await gate.mute(.everyone, by: before.caller)
        #expect(status(await events.next()) == .restricted)
        try await gate.unmute(.everyone, by: before.caller)
        #expect(status(await events.next()) == .notDetermined, "the grant does not cover what it declares now")
        try await gate.mute(.everyone, by: before.caller)
        current.withLock { $0 = nil }
        #expect(await events.next() == nil)
    }
}
