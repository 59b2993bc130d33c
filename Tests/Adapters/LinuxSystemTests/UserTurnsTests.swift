import Authorization
import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Turns of users")
struct UserTurnsTests {
    /// The pieces started, in order, when each ends before the next is chosen.
    private func started(_ order: inout TurnOrder<String>) -> [String] {
        var started: [String] = []
        while let (user, work) = order.next() {
            started.append(work)
            order.end(of: user)
        }
        return started
    }

    @Test("users take turns, and a user's own work keeps its order")
    func alternate() {
        var order = TurnOrder<String>(width: 1, most: 100)
        for (user, work) in [(1, "a1"), (1, "a2"), (1, "a3"), (1, "a4"), (2, "b1"), (2, "b2"), (3, "c1")] {
            let admission = order.add(work, of: UInt32(user))
            #expect(admission == .taken)
        }
        let all = started(&order)
        #expect(all == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
        #expect(order.waiting == 0)
    }

    @Test("one user has one piece running, whatever is free, and a newcomer is next")
    func oneAtATime() {
        var order = TurnOrder<String>(width: 3, most: 100)
        for number in 1...40 { _ = order.add("a\(number)", of: 1) }
        let first = [order.next()?.work, order.next()?.work]
        #expect(first == ["a1", nil])
        _ = order.add("b1", of: 2)
        let newcomer = order.next()?.work
        #expect(newcomer == "b1")
        order.end(of: 1)
        _ = order.add("c1", of: 3)
        let later = [order.next()?.work, order.next()?.work, order.next()?.work]
        #expect(later == ["a2", "c1", nil])
    }

    @Test("no more pieces run than there is room for")
    func width() {
        var order = TurnOrder<String>(width: 2, most: 100)
        for user in 1...4 { _ = order.add("\(user)", of: UInt32(user)) }
        let first = [order.next()?.work, order.next()?.work, order.next()?.work]
        #expect(first == ["1", "2", nil])
        order.end(of: 2)
        let next = order.next()?.work
        #expect(next == "3")
    }

    @Test("while one user's piece takes long, those of all others go on", .timeLimit(.minutes(1)))
    func others() async throws {
        let turns = UserTurns(width: 2)
        let (long, short) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let begun = Flags()
        func run(_ user: UInt32, _ wait: DispatchSemaphore?) -> Task<Void, any Error> {
            Task {
                try await turns.run(of: user) {
                    begun.users.withLock { _ = $0.insert(user) }
                    wait?.wait()
                }
            }
        }
        let first = run(1, long)
        try await eventually { begun.users.withLock { $0 } == [1] }
        let second = run(2, short)
        try await eventually { begun.users.withLock { $0 } == [1, 2] }
        // Its turn comes when the second ends.
        let third = run(3, nil)
        try await eventually { turns.waiting == 1 }
        short.signal()
        try await second.value
        try await third.value
        try await run(4, nil).value
        long.signal()
        try await first.value
    }

    private final class Flags: Sendable {
        let users = Mutex<Set<UInt32>>([])
    }

    @Test("a user whose work is too much is refused, and other users are not")
    func bounded() {
        var order = TurnOrder<String>(width: 1, most: 2)
        var taken: [TurnOrder<String>.Admission] = []
        for number in 1...4 { taken.append(order.add("\(number)", of: 1)) }
        taken.append(order.add("other", of: 2))
        #expect(taken == [.taken, .taken, .tooMany, .tooMany, .taken])
        let all = started(&order)
        #expect(all == ["1", "other", "2"])
    }

    @Test("a piece that is late keeps its user's place and leaves its own to another user")
    func late() {
        var order = TurnOrder<String>(width: 1, each: 2, most: 100)
        for number in 1...4 { _ = order.add("a\(number)", of: 1) }
        _ = order.add("b1", of: 2)
        var started = [order.next()?.work, order.next()?.work]
        let first = order.markLate(of: 1)
        started += [order.next()?.work, order.next()?.work]
        order.end(of: 2)
        started += [order.next()?.work, order.next()?.work]
        #expect(started == ["a1", nil, "b1", nil, "a2", nil])
        #expect(first.isEmpty)
        // Both that may run are late now.
        let second = order.markLate(of: 1)
        #expect(second == ["a3", "a4"])
        let refused = order.add("a5", of: 1)
        #expect(refused == .late)
        order.end(of: 1, late: true)
        let taken = order.add("a6", of: 1)
        #expect(taken == .taken)
        let next = order.next()?.work
        #expect(next == "a6")
    }

    @Test("work that never ends is answered with an error, and other users' work goes on", .timeLimit(.minutes(1)))
    func unanswered() async throws {
        let turns = UserTurns(width: 1, limit: .milliseconds(50))
        let never = DispatchSemaphore(value: 0)
        let first = Task { try await turns.run(of: 1) { never.wait() } }
        try await eventually { turns.running == 1 }
        let second = Task { try await turns.run(of: 1) { Issue.record("it ran") } }
        #expect(await failure(ProcessError.self) { try await first.value }?.code == .unanswered)
        #expect(await failure(ProcessError.self) { try await second.value }?.code == .unanswered)
        let later = await #expect(throws: ProcessError.self) { try await turns.run(of: 1) { Issue.record("it ran") } }
        #expect(later?.code == .unanswered)
        // A busy machine may need more than the limit for it.
        try await eventually { (try? await turns.run(of: 2) { "answered" }) == "answered" }
        never.signal()
        try await eventually { (try? await turns.run(of: 1) { true }) == true }
    }

    @Test("work that is refused does not run, and the error says so")
    func refused() async throws {
        let turns = UserTurns(width: 1, most: 0)
        let error = await #expect(throws: ProcessError.self) { try await turns.run(of: 1) { Issue.record("it ran") } }
        #expect(error?.code == .busy)
    }
}

extension UserTurns {
    /// Lets a piece of the user run until the returned function is called.
    func block(_ user: UInt32) async -> @Sendable () -> Void {
        let gate = DispatchSemaphore(value: 0)
        let (begun, news) = AsyncStream.makeStream(of: Void.self)
        Task {
            try await run(of: user) {
                news.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        return { gate.signal() }
    }
}

@Suite("Programs that have to be read", .timeLimit(.minutes(2)))
struct ProgramReadingTests {
    private static let client = """
        use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un($ARGV[0])) or die;
        $| = 1; print "connected\\n"; $_ = <STDIN>; exit 0;
        """

    private let listener: UnixListener
    private let folder: TemporaryFolder

    init() throws {
        listener = try UnixListener()
        folder = try TemporaryFolder()
    }

    /// In its own session, so that no program of this test counts as the one that runs it.
    private func connect(_ perl: String) throws -> (ChildProcess, Int32) {
        let child = try ChildProcess(["/usr/bin/setsid", perl, "-e", Self.client, listener.path])
        #expect(child.readLine() == "connected")
        return (child, listener.accept())
    }

    /// By another process: a child that another test starts must not have it open for writing.
    private func copy(_ name: String, truncate size: String? = nil) throws -> String {
        let path = folder.path + "/" + name
        try ChildProcess(["/bin/cp", "/usr/bin/perl", path]).waitForEnd()
        if let size { try ChildProcess(["/usr/bin/truncate", "-s", size, path]).waitForEnd() }
        return path
    }

    @Test("a program that is known, and the command line, do not wait for their user's turn; an unknown one does")
    func known() async throws {
        let commandLine = try copy("voicegate")
        let inspector = CallerInspector(commandLine: commandLine)
        let (first, socket) = try connect("/usr/bin/perl")
        _ = try await inspector.inspect(socket: socket)
        let release = await inspector.turns.block(geteuid())

        for program in ["/usr/bin/perl", commandLine] {
            let (child, socket) = try connect(program)
            let caller = try await inspector.inspect(socket: socket).caller
            #expect(caller.process.processIdentifier == child.processIdentifier)
            #expect(caller.executable.sha256.count == 64)
            close(socket)
        }
        #expect(inspector.turns.waiting == 0)

        let (other, waiting) = try connect(try copy("unknown"))
        let unknown = Task { try await inspector.inspect(socket: waiting).caller }
        try await eventually { inspector.turns.waiting == 1 }
        release()
        #expect(try await unknown.value.process.processIdentifier == other.processIdentifier)
        close(waiting)
        close(socket)
        #expect(first.processIdentifier > 0)
    }

    @Test("another user's unknown program does not wait for this user's")
    func otherUser() async throws {
        let inspector = CallerInspector()
        let release = await inspector.turns.block(geteuid() + 1)
        let (child, socket) = try connect(try copy("unknown"))
        defer { close(socket) }
        #expect(try await inspector.inspect(socket: socket).caller.process.processIdentifier == child.processIdentifier)
        release()
    }

    @Test("the shells between a user and the command line are not read")
    func shells() async throws {
        let commandLine = try copy("voicegate")
        let digests = FileDigests()
        let inspector = CallerInspector(digests: digests, commandLine: commandLine)
        let child = try ChildProcess([
            "/usr/bin/setsid", "/bin/bash", "-c", #"("$0" -e "$1" "$2"; true); true"#, commandLine, Self.client,
            listener.path,
        ])
        #expect(child.readLine() == "connected")
        let socket = listener.accept()
        defer { close(socket) }
        let found = try await inspector.inspect(socket: socket).responsible()
        guard case .itself = found else {
            Issue.record("\(found)")
            return
        }
        #expect(digests.readings == 1)
    }

    @Test(
        "a program that is too large, or a large one with nothing on the disk, is refused without being read",
        arguments: [("513M", "Programs of up to 512 MB can be identified"), ("400M", "almost none of it on the disk")])
    func large(size: String, reason: String) async throws {
        let digests = FileDigests()
        let inspector = CallerInspector(digests: digests)
        let program = try copy("large", truncate: size)
        let (child, socket) = try connect(program)
        defer { close(socket) }
        let error = await #expect(throws: ProcessError.self) { try await inspector.inspect(socket: socket) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("process \(child.processIdentifier)") == true)
        #expect(digests.readings == 0)
        // Nor through a manifest that names it.
        let manifest = Samples.manifest(of: program, as: "org.example.large")
        let refused = await #expect(throws: ProcessError.self) {
            try await inspector.program(of: manifest, for: geteuid())
        }
        #expect(refused?.code == .tooLarge)
        #expect(digests.readings == 0)
    }

    @Test("a small program with a hole is a program")
    func smallHole() async throws {
        let inspector = CallerInspector()
        let (child, socket) = try connect(try copy("hole", truncate: "15M"))
        defer { close(socket) }
        #expect(try await inspector.inspect(socket: socket).caller.process.processIdentifier == child.processIdentifier)
    }

    @Test("digests that are used stay in a full cache")
    func cache() throws {
        let digests = FileDigests(capacity: 4)
        let used = try FileMetadata(path: "/usr/bin/perl")
        let path = "/usr/bin/perl"
        _ = digests.sha256(of: path)
        for name in ["cat", "ls", "cp", "mv", "rm", "ln", "dd", "df"] {
            #expect(digests.sha256(of: "/bin/" + name) != nil)
            #expect(digests.known(used) != nil, "\(name)")
        }
        #expect(digests.readings == 9)
    }
}
