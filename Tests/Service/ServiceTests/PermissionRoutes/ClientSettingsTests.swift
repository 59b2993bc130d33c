import Authorization
import Consent
import Hummingbird
import LinuxSystem
import SocketAPI
import TestSupport
import Testing

@testable import PermissionRoutes
@testable import Server

@Suite("Changes of settings over the socket", .timeLimit(.minutes(1)))
struct ClientSettingsTests {
    private let state: StateFixture
    private var folder: TemporaryFolder { state.folder }
    private let ledger = RecordingLedger()
    private let requester = Samples.requester()
    private var key: DecisionKey { requester.key(for: .microphone) }

    init() async throws { state = try await StateFixture() }

    private func settings(_ gate: Gate) throws -> ClientSettings { try state.settings(gate, ledger) }

    /// What the caller of a change reads that could not be recorded.
    private func message(after change: () async throws -> Void) async -> String {
        do {
            try await change()
            Issue.record("It was recorded.")
            return ""
        } catch {
            let (status, reply) = ErrorTranslation.answer(to: error)
            #expect(status == .serviceUnavailable && reply.error.code == ErrorCode.storageUnavailable.rawValue)
            return reply.error.message
        }
    }

    @Test("a denial and a withdrawal that cannot be recorded are in force until the service ends, as the reply says")
    func unrecorded() async throws {
        let full = ConsentError(code: .notRecorded, message: "No room is left; free some and try again.")
        let inForce = "in force until the service ends"
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        let settings = try settings(gate)
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(requester.caller.executable), by: requester.caller)
        ledger.fail(after: 0, with: full)
        let withdrawn = await message { try await settings.reset(key, requester) }
        #expect(withdrawn.contains(inForce) && withdrawn.hasSuffix(full.message))
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        let denied = await message { try await settings.deny(key, requester) }
        #expect(denied.contains(inForce) && denied.hasSuffix(full.message))
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
        // The withdrawal of a denial permits to ask again, so it is not in force.
        #expect(await message { try await settings.reset(key, requester) } == full.message)
        #expect(await gate.status(of: .microphone, for: requester) == .denied)
    }

    @Test("a mute that cannot be recorded is reported as in force, with the time after which its record has room")
    func unrecordedMute() async throws {
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        ledger.fail(after: 0, with: RecordQuotaExceeded(user: 1000, seconds: 9))
        let error = await #expect(throws: UnrecordedRevocation.self) {
            try await UnrecordedRevocation.reporting { try await gate.mute(.user(1000), by: requester.caller) }
        }
        let problem = try Problem(try #require(error))
        #expect(problem.status == .tooManyRequests && problem.fields[.retryAfter] == "9")
        #expect(await gate.mutes.covering(1000) != nil)
    }

    @Test("a client whose manifest has errors is not known, and the refusal names them")
    func errors() async throws {
        let client = Samples.identifier("org.example.broken")
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        let settings = try settings(gate)
        func refusals() async -> [String] {
            var refusals: [String] = []
            do { try await settings.checkIsKnown(client, to: 1000) } catch { refusals.append("\(error)") }
            do { _ = try await settings.clients.program(of: client, user: 1000) } catch { refusals.append("\(error)") }
            #expect(refusals.count == 2)
            return refusals
        }
        for text in await refusals() { #expect(text.contains("voicegate settings lists"), "\(text)") }
        try folder.write("no property list", to: "clients/other/Info.plist")
        for text in await refusals() { #expect(text.contains("voicegate status names the manifests"), "\(text)") }
        let path = try folder.write("no property list", to: "clients/org.example.broken/Info.plist")
        for text in await refusals() {
            #expect(text.contains("\(path): The manifest is not a property list."), "\(text)")
            #expect(!text.contains("clients/other"))
        }
    }
}
