import Authorization
import Base
import Consent
import Foundation
import Glibc
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import SocketAPI
import Speech
import Storage
import TestSupport
import Testing

@testable import Monitors
@testable import Server
@testable import Sessions

/// The log, the gate and the started program are real; the microphone is absent, and the test triggers the monitor.
@Suite("Delivery of a monitor's events", .timeLimit(.minutes(1)))
struct MonitorServiceTests {
    private static let client = Samples.identifier("org.example.helper")

    private let state: StateFixture
    private var folder: TemporaryFolder { state.folder }
    private var log: ConsentLog { state.log }
    private let parts: MonitorService.Parts
    private let service: MonitorService
    private let monitor: MonitorRegistration
    private let connection: Connection
    /// Kept open, so that no started program waits for it to be opened.
    private let goOn: Int32

    private var owner: MonitorOwner { MonitorOwner(monitor) }
    private var toldFile: String { folder.path + "/told" }

    /// The client is this process; a monitor may always start a program for it.
    init() async throws {
        state = try await StateFixture()
        let (folder, log) = (state.folder, state.log)
        let inspector = CallerInspector()
        connection = try await Connection.own(inspector)
        let caller = connection.peer.caller

        // It writes what it was started with, and runs until it is let go on.
        mkfifo(folder.path + "/go-on", 0o600)
        goOn = open(folder.path + "/go-on", O_RDWR | O_CLOEXEC)
        let script = """
            printf '%s\\n' "$VOICEGATE_EVENTS" > \(folder.path)/telling && mv \(folder.path)/telling \(folder.path)/told
            read word < \(folder.path)/go-on
            """
        let manifest = Manifest(
            identifier: Self.client, name: "Helper", executablePath: caller.executable.path,
            usageDescriptions: [.microphone: "To hear you."],
            practices: DataPractices(kinds: [.liveAudio], purpose: "To hear you.", retention: nil, recipients: []),
            launchCommand: ["/bin/sh", "-c", script])
        let clients = ClientResolver.sample(builtIn: [manifest], inspector: inspector)

        let gate = try await Gate(ledger: log, agent: StandInAgent { _ in .deny })
        let program = try await clients.program(of: Self.client, user: caller.user)
        let notice = Notice(settingsOf: manifest, resource: .microphone)
        for scope in [Scope.whileInUse, .always] {
            try await gate.decide(
                .authorized, for: DecisionKey(user: caller.user, client: Self.client, resource: .microphone),
                program: program, scope: scope, notice: notice, by: caller)
        }
        parts = MonitorService.Parts(
            device: "mic", clients: clients,
            runner: SessionRunner(
                gate: gate, ledger: log, registry: SessionRegistry(quota: Quota(total: 8, ofProgram: 4))),
            log: log, source: AbsentMicrophone(), recognizer: AbsentMicrophone(),
            act: MonitorAct(socket: "/v", environment: [:]), logger: Logger(label: "test"),
            now: { StateFixture.moment })
        service = try await MonitorService(parts)
        monitor = MonitorRegistration(
            identifier: "m", user: caller.user, client: Self.client, kind: .soundBegan, action: .start)
        let requester = try await clients.requester(on: connection)
        try #require(requester.client.identifier == Self.client)
        try await service.register(monitor, for: requester, by: caller)
    }

    private func records(_ kind: RecordKind) async throws -> Int {
        try await log.records().count { $0.kind == kind }
    }

    /// What a started program was told; the file is for the next one then.
    private func launch() async throws -> MonitorLaunch {
        try await eventually { FileManager.default.fileExists(atPath: toldFile) }
        let text = try String(contentsOfFile: toldFile, encoding: .utf8)
        try FileManager.default.removeItem(atPath: toldFile)
        return try #require(MonitorLaunch(environment: [MonitorLaunch.Variable.events.rawValue: text]))
    }

    private func letGo() { #expect(write(goOn, "\n", 1) == 1) }

    @Test(
        "with always, a started client gets events over its stream; events that it missed are in the next start, newest last"
    )
    func told() async throws {
        await service.trigger(monitor, owner)
        let first = try await launch()
        #expect(first.events.count == 1)
        #expect(try await records(.monitorStarted) == 1)

        let reader = MonitorReader(owner, on: connection)
        await service.open(reader)
        var events = reader.events.filter { $0.type == .triggered }.makeAsyncIterator()
        await service.trigger(monitor, owner)
        let acknowledged = try #require(await events.next())
        try await service.acknowledge(acknowledged.event, by: owner)
        await service.trigger(monitor, owner)
        let second = try #require(await events.next())
        await service.trigger(monitor, owner)
        let third = try #require(await events.next())
        #expect(try await records(.monitorStarted) == 1, "it runs")

        await service.close(reader)
        #expect(try await records(.monitorStarted) == 1, "its program still runs, without a stream")
        letGo()
        try await eventually { try await records("monitor.exited") == 1 }
        await service.trigger(monitor, owner)
        let next = try await launch().events
        #expect(next.count == 3)
        #expect(next.prefix(2).map(\.event) == [second.event, third.event], "acknowledged events are not sent again")
        #expect(next.map(\.time) == next.map(\.time).sorted())
        #expect(try await records(.monitorStarted) == 2)
        letGo()
        try await eventually { try await records("monitor.exited") == 2 }
        close(goOn)
    }

    @Test(
        "a process with the number and start of a client that a monitor started in an earlier boot is not that client")
    func earlierBoot() async throws {
        let process = connection.peer.caller.process
        try await log.record(.monitor(monitor, .started(process, boot: "before")), changing: nil)
        let next = try await MonitorService(parts)
        await next.watchStartedClients()
        let exit = try #require(try await log.records().last { $0.kind == "monitor.exited" })
        #expect(exit.fields["whileStopped"] == .boolean(true))
        #expect(await next.acting.isEmpty)
    }

    @Test("a listening whose beginning cannot be recorded has no end in the log")
    func noBeginning() async throws {
        let ledger = RecordingLedger()
        ledger.onWrite { [ledger] event in
            if case .sessionStarted = event { ledger.fail(after: 0) } else { ledger.recover() }
        }
        let failing = MonitorService.Parts(
            device: parts.device, clients: parts.clients,
            runner: SessionRunner(gate: parts.runner.gate, ledger: ledger, registry: parts.runner.registry),
            log: log, source: parts.source, recognizer: parts.recognizer, act: parts.act, logger: parts.logger,
            now: parts.now)
        let requester = try await parts.clients.requester(on: connection)
        let outcome = await MonitorListener([monitor], requester, failing, presence: { .background }).listen()
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(ledger.eventNames.isEmpty)
    }
}

private struct AbsentMicrophone: MicrophoneSource, Recognizer {
    func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream {
        throw CaptureError(code: .deviceNotFound, device: device, message: "It is absent.")
    }

    func devices() async -> [CaptureDevice] { [] }

    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        throw RecognitionError(code: .modelUnavailable, message: "It is absent.")
    }
}
