import Authorization
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("The watch of processes", .timeLimit(.minutes(1)))
struct ProcessWatchTests {
    private final class World: Sendable {
        let concerned = Mutex<Set<ProcessIdentity>>([])
        let ended = Mutex<[ProcessIdentity]>([])
    }

    private let world = World()
    private let listener: UnixListener
    private let watch: ProcessWatch

    init() throws {
        listener = try UnixListener()
        watch = ProcessWatch(
            Quota(total: 2, ofProgram: 1, servesOneUser: true),
            concerned: { [world] in world.concerned.withLock { $0 } },
            onEnd: { [world] process in world.ended.withLock { $0.append(process) } })
    }

    /// A process that has connected, and goes on without its connection.
    private func connected() async throws -> (ChildProcess, ConnectedCaller) {
        let child = try ChildProcess([
            "/usr/bin/perl", "-e",
            "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])); <STDIN>", listener.path,
        ])
        let socket = listener.accept()
        defer { close(socket) }
        return (child, try await CallerInspector().inspect(socket: socket))
    }

    private func depend(on caller: ConnectedCaller) {
        world.concerned.withLock { _ = $0.insert(caller.caller.process) }
    }

    @Test("a process whose last connection is closed is not watched when nothing depends on it")
    func forgotten() async throws {
        let (child, caller) = try await connected()
        watch.watch(caller)
        watch.watch(caller)
        await watch.release(caller)
        #expect(watch.count == 1)
        await watch.release(caller)
        #expect(watch.count == 0)
        #expect(world.ended.withLock { $0.isEmpty })
        withExtendedLifetime(child) {}
    }

    @Test("a process on which something depends is watched without a connection; its end ends that")
    func concerned() async throws {
        let (child, caller) = try await connected()
        depend(on: caller)
        watch.watch(caller)
        await watch.release(caller)
        #expect(watch.count == 1)
        child.end()
        while world.ended.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(world.ended.withLock { $0 } == [caller.caller.process])
        #expect(watch.count == 0)
    }

    @Test("with too many processes, sessions of the oldest end; a connected process does not count")
    func tooMany() async throws {
        var processes: [(ChildProcess, ConnectedCaller)] = []
        for _ in 0..<4 { processes.append(try await connected()) }
        for (_, caller) in processes {
            depend(on: caller)
            watch.watch(caller)
        }
        for (_, caller) in processes.dropFirst() { await watch.release(caller) }
        #expect(world.ended.withLock { $0 } == [processes[1].1.caller.process])
        #expect(watch.count == 3)
    }

    @Test("a process that was kept is forgotten when nothing depends on it and another connection closes")
    func later() async throws {
        let (first, second) = (try await connected(), try await connected())
        depend(on: first.1)
        for (_, caller) in [first, second] { watch.watch(caller) }
        await watch.release(first.1)
        #expect(watch.count == 2)
        world.concerned.withLock { $0 = [] }
        await watch.release(second.1)
        #expect(watch.count == 0)
        #expect(world.ended.withLock { $0.isEmpty })
    }
}
