import Authorization
import Base
import Consent
import Foundation
import LinuxSystem
import Prompting
import SocketAPI
import Synchronization
import TestSupport
import Testing

@testable import PermissionRoutes
@testable import Server

/// A script in the place of pkcheck keeps the text that it was given, and confirms.
@Suite("Records of what the user confirmed with a password", .timeLimit(.minutes(1)))
struct ConfirmedRecordTests {
    private struct NoPrompt: Error {}

    /// A second later at each reading, so that an answer is not too early.
    private final class SteppingClock: Sendable {
        private let now = Mutex(ContinuousClock.now)

        func reading() -> ContinuousClock.Instant {
            now.withLock { now in
                now += .seconds(1)
                return now
            }
        }
    }

    private let state: StateFixture
    private var folder: TemporaryFolder { state.folder }
    private var log: ConsentLog { state.log }
    private let confirmation: PasswordConfirmation

    init() async throws {
        state = try await StateFixture()
        let pkcheck = try state.folder.write(
            "#!/bin/sh\nfor text; do :; done\nprintf %s \"$text\" > '\(state.folder.path)/text'\n", to: "pkcheck",
            permissions: 0o700)
        confirmation = PasswordConfirmation(authority: PolkitAuthority(program: pkcheck))
    }

    /// What pkcheck was given as the dialog's text.
    private var given: String {
        get throws { try String(contentsOfFile: folder.path + "/text", encoding: .utf8) }
    }

    private func recorded() async throws -> [String?] {
        try await log.records().filter { $0.kind == "decision.granted" }.map { $0.fields["confirmation"]?.string }
    }

    @Test("the record of a confirmed answer to a prompt has the text that polkit was given")
    func answer() async throws {
        let clock = SteppingClock()
        let board = PromptBoard(now: { clock.reading() }) { _, _ in true }
        let gate = try await Gate(ledger: log, agent: board)
        let requester = Samples.requester(user: 64_003)
        let answerer = Answerer(process: requester.caller.process, user: 64_003, role: .caller)
        var offers = await board.prompts(for: answerer).makeAsyncIterator()
        let request = Task { await gate.request(.microphone, for: requester) }
        guard case .offered(let prompt)? = await offers.next() else { throw NoPrompt() }
        try await PromptRoutes(board: board, confirmation: confirmation).answer(
            PromptAnswer(answer: .whileInUse), to: prompt.cookie, by: requester)
        #expect(await request.value == nil)
        let text = try given
        #expect(text.contains("org.example.Editor") && text.hasSuffix("/usr/bin/editor (from no package)"))
        #expect(try await recorded() == [text])
    }

    @Test("the record of a confirmed change of settings has the text that polkit was given")
    func settings() async throws {
        let settings = try settings(try await Gate(ledger: log, agent: StandInAgent()))
        let person = Samples.requester("io.voicegate.cli", user: 64_004)
        let key = DecisionKey(user: 64_004, client: Samples.identifier("org.example.notes"), resource: .microphone)
        try await settings.allow(SettingsChange(resource: .microphone, choice: .allow), key, person) { act in
            (person, dialog: try await confirmation.confirm(act, in: .japanese, by: person.caller))
        }
        let text = try given
        #expect(text.contains("org.example.notes") && text.hasSuffix("/usr/bin/true"))
        #expect(try await recorded() == [text])
    }

    /// For a client org.example.notes, which declares a phrase.
    private func settings(_ gate: Gate) throws -> ClientSettings {
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.notes</string>
            <key>CFBundleExecutable</key><string>/usr/bin/true</string>
            <key>NSMicrophoneUsageDescription</key><string>Listens.</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>Understands.</string>
            <key>VoiceGatePhrases</key><array><string>next page</string></array>
            </dict></plist>
            """, to: "clients/notes/Info.plist")
        return try state.settings(gate)
    }

    @Test("what the dialog says is granted, also if the grant that it keeps something of expires while it is open")
    func expired() async throws {
        let days = Mutex(Int64(0))
        var configuration = GateConfiguration()
        configuration.now = { days.withLock { Moment(boot: "a", sinceBoot: $0 * 86_400_000, wall: $0 * 86_400_000) } }
        let gate = try await Gate(ledger: log, agent: StandInAgent(), configuration: configuration)
        let settings = try settings(gate)
        let person = Samples.requester("io.voicegate.cli", user: 64_005)
        let key = DecisionKey(
            user: 64_005, client: Samples.identifier("org.example.notes"), resource: .speechRecognition)
        // For an earlier version of the program, so that the grant has to be given again.
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(person.caller.executable), fidelity: .reduced,
            by: person.caller)
        let said = Mutex<Fidelity?>(nil)
        try await settings.allow(SettingsChange(resource: .speechRecognition, choice: .allow), key, person) { act in
            if case .allow(let allowing) = act { said.withLock { $0 = allowing.fidelity } }
            days.withLock { $0 += 4_000 }
            return (person, dialog: nil)
        }
        #expect(said.withLock { $0 } == .reduced)
        #expect(await gate.decisions(ofUser: 64_005).map { $0.terms?.fidelity } == [.reduced])
    }
}
