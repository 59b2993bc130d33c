import Authorization
import Glibc
import LinuxSystem
import NIOCore
import NIOPosix
import Speech
import Synchronization
import TestSupport
import Testing

@testable import Server
@testable import Sessions

@Suite("The runner of sessions", .timeLimit(.minutes(1)))
struct SessionRunnerTests {
    private struct Failure: Error {}

    private struct Weak {
        weak var session: StandInSession?
    }

    private let indicator = IndicatorBoard()
    private let runner: SessionRunner
    private let closing: EventLoopPromise<Void>
    private let connection: Connection

    init() async throws {
        let ledger = RecordingLedger()
        runner = SessionRunner(
            gate: try await Gate(ledger: ledger, agent: StandInAgent()), ledger: ledger,
            registry: SessionRegistry(indicator: indicator, quota: Quota(total: 8, ofProgram: 4)))
        closing = MultiThreadedEventLoopGroup.singleton.next().makePromise()
        connection = try await .own(closing: closing.futureResult)
    }

    /// The sessions are released soon after their tasks have ended.
    private func released(_ sessions: [Weak]) async {
        while sessions.contains(where: { $0.session != nil }) { await Task.yield() }
    }

    @Test("a connection that serves many sessions keeps no handler of those that have ended")
    func releases() async throws {
        var sessions: [Weak] = []
        for number in 0..<50 {
            let session = StandInSession("\(number)")
            sessions.append(Weak(session: session))
            try await runner.run(
                session, device: nil, on: connection, start: {}, work: { _ in _ = session.identifier },
                afterwards: { _ = session.identifier }
            ).value
        }
        await released(sessions)
        #expect(await runner.registry.runningSessions.isEmpty)
        closing.succeed()
    }

    @Test("a connection keeps no handler of sessions that could not start, and they were not shown as listening")
    func failedStart() async throws {
        var sessions: [Weak] = []
        for number in 0..<50 {
            let session = StandInSession("\(number)")
            sessions.append(Weak(session: session))
            await #expect(throws: Failure.self) {
                try await runner.run(
                    session, device: nil, on: connection, start: { throw Failure() },
                    work: { (_: Void) in Issue.record("a session ran that had not started") })
            }
        }
        await released(sessions)
        #expect(await runner.registry.runningSessions.isEmpty)
        #expect(indicator.reply(to: .person(1000)).sessions.isEmpty)
        closing.succeed()
    }

    @Test("a session is registered before it starts, and is abandoned when its connection is closed")
    func closed() async throws {
        let session = StandInSession("one")
        let ending = try await runner.run(
            session, device: "mic", on: connection,
            start: {
                #expect(await runner.registry.runningSessions == ["one"])
                closing.succeed()
            },
            work: { _ in await session.endings.first { _ in true } }
        ).value
        #expect(ending == .disconnected)
        #expect(await runner.registry.runningSessions.isEmpty)
    }

    @Test("work after a session runs after its removal, and is cancelled when its connection is closed")
    func afterwards() async throws {
        let session = StandInSession("one")
        let task = try await runner.run(
            session, device: nil, on: connection, start: {}, work: { _ in },
            afterwards: {
                #expect(await runner.registry.runningSessions.isEmpty)
                closing.succeed()
                while !Task.isCancelled { await Task.yield() }
            })
        await task.value
    }
}
