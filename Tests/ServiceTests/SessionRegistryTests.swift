import Authorization
import SocketAPI
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite("The sessions that run", .timeLimit(.minutes(1)))
struct SessionRegistryTests {
    /// Names of the sessions that are closed.
    private final class Closed: Sendable {
        private let state = Mutex<Set<String>>([])
        var names: Set<String> { state.withLock { $0 } }
        func add(_ name: String) { state.withLock { _ = $0.insert(name) } }
    }

    let registry = SessionRegistry()

    /// A session that ends when it is told to, by its stream or by cancellation.
    private func session() -> (task: Task<Void, Never>, end: AsyncStream<Never>.Continuation) {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        return (Task { for await _ in stream {} }, end)
    }

    private func add(_ identifier: String, user: UInt32 = 1000, task: Task<Void, Never>) async throws {
        try await registry.reserve()
        await registry.add(
            identifier, requester: Samples.requester(user: user), device: nil, dictation: nil, task: task)
    }

    @Test("no more than eight at a time, and a place that is given back can be taken again")
    func bound() async throws {
        for _ in 0..<SessionRegistry.mostSessions { try await registry.reserve() }
        let error = await #expect(throws: RouteError.self) { try await registry.reserve() }
        #expect(error?.code == .busy)
        await registry.release()
        try await registry.reserve()
        await #expect(throws: RouteError.self) { try await registry.reserve() }
    }

    @Test("a running session keeps its place, and is counted once")
    func running() async throws {
        let sessions = (0..<SessionRegistry.mostSessions).map { _ in session() }
        for (index, session) in sessions.enumerated() { try await add("\(index)", task: session.task) }
        await #expect(throws: RouteError.self) { try await registry.reserve() }
        for session in sessions { session.end.finish() }
        while await !registry.sessions(ofUser: 1000).isEmpty { await Task.yield() }
        for _ in sessions { try await registry.reserve() }
    }

    @Test("a user sees the user's own sessions alone")
    func users() async throws {
        let (mine, theirs) = (session(), session())
        try await add("mine", user: 1000, task: mine.task)
        try await add("theirs", user: 1001, task: theirs.task)
        let shown = await registry.sessions(ofUser: 1000)
        #expect(shown.map(\.session) == ["mine"])
        #expect(shown.first?.client == "org.example.Editor")
        #expect(shown.first?.name == "Editor")
        #expect(shown.first?.processIdentifier == 100)
        #expect(await registry.sessions(ofUser: 1002).isEmpty)
        #expect(await registry.dictation("mine", ofUser: 1000) == nil)
        mine.end.finish()
        theirs.end.finish()
    }

    @Test("stopping ends every session and waits until each is closed")
    func stopAll() async throws {
        let closed = Closed()
        for identifier in ["a", "b", "c"] {
            let (waiting, _) = session()
            try await add(
                identifier,
                task: Task {
                    await withTaskCancellationHandler {
                        await waiting.value
                    } onCancel: {
                        waiting.cancel()
                    }
                    // What a session does after its end: it closes the device and writes the record.
                    for _ in 0..<100 { await Task.yield() }
                    closed.add(identifier)
                })
        }
        await registry.stopAll()
        #expect(closed.names == ["a", "b", "c"])
    }

    @Test("nothing starts while the service stops, and what was about to is ended")
    func lateStart() async throws {
        try await registry.reserve()
        await registry.stopAll()
        let error = await #expect(throws: RouteError.self) { try await registry.reserve() }
        #expect(error?.code == .busy)
        let late = session()
        await registry.add(
            "late", requester: Samples.requester(), device: nil, dictation: nil, task: late.task)
        #expect(late.task.isCancelled)
        late.end.finish()
    }
}
