import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(
    "Searches of descriptors", .timeLimit(.minutes(2)),
    .enabled(if: geteuid() == 0, "needs root to become other users and to make networks"))
struct DescriptorSearchTests {
    /// Connects to a Unix socket or a port, and opens this many more descriptors.
    private static let client = """
        import os, socket, sys
        address = sys.argv[1]
        s = socket.socket(socket.AF_INET if address.isdigit() else socket.AF_UNIX)
        s.connect(("127.0.0.1", int(address)) if address.isdigit() else address)
        more = [os.dup(0) for _ in range(int(sys.argv[2]))]
        print("connected", flush=True); sys.stdin.readline()
        """
    private static let tests = Atomic(UInt32(0))

    /// Of this test alone, so that no process of another test counts.
    private let user: UInt32
    private let other: UInt32
    private let listener: UnixListener
    private let accepted = Accepted()

    /// The service's ends of connections, open as long as the test.
    private final class Accepted: Sendable {
        let numbers = Mutex<[Int32]>([])

        deinit { for number in numbers.withLock({ $0 }) { close(number) } }
    }

    init() throws {
        let number = Self.tests.add(1, ordering: .relaxed).newValue
        user = 1_000_000 + UInt32(getpid()) * 32 + number * 2
        other = user + 1
        listener = try UnixListener()
    }

    private func start(
        _ address: String, _ user: UInt32, isApart: Bool = false, opening count: Int = 0
    ) throws -> ChildProcess {
        let child = try ChildProcess(
            (isApart ? ["/usr/bin/unshare", "--net"] : []) + [
                "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", "/usr/bin/python3",
                "-c", Self.client, address, "\(count)",
            ])
        try #require(child.readLine() == "connected")
        return child
    }

    private func connect(
        to inspector: CallerInspector, _ user: UInt32, isApart: Bool = false
    ) async throws -> (ChildProcess, ConnectedCaller) {
        let child = try start(listener.path, user, isApart: isApart)
        let socket = listener.accept()
        accepted.numbers.withLock { $0.append(socket) }
        return (child, try await inspector.inspect(socket: socket))
    }

    private func network(of caller: ConnectedCaller) async -> NetworkFinding {
        await caller.network(actingAs: caller.caller)
    }

    @Test("a client in the host's network is answered at once, while its user's turn and all places are taken")
    func hosts() async throws {
        let inspector = CallerInspector(serving: .all)
        let (child, caller) = try await connect(to: inspector, user)
        let release = [await inspector.searches.block(user), await inspector.searches.block(other)]
        defer { for release in release { release() } }
        guard case .hosts = await network(of: caller) else {
            Issue.record("it is in the host's network")
            return
        }
        #expect(inspector.searches.waiting == 0)
        #expect(child.processIdentifier == caller.caller.process.processIdentifier)
    }

    @Test("a client in another network waits for its own user's turn alone")
    func turns() async throws {
        let inspector = CallerInspector(serving: .all)
        let (first, slow) = try await connect(to: inspector, user, isApart: true)
        let (second, quick) = try await connect(to: inspector, other, isApart: true)
        let release = await inspector.searches.block(user)
        let waiting = Task { await network(of: slow) }
        try await eventually { inspector.searches.waiting == 1 }
        guard case .closed = await network(of: quick) else {
            Issue.record("it has no network")
            return
        }
        #expect(inspector.searches.waiting == 1)
        release()
        guard case .closed = await waiting.value else {
            Issue.record("it has no network")
            return
        }
        #expect(first.processIdentifier != second.processIdentifier)
    }

    @Test("more descriptors of the client's user than the budget are unclear; another user's do not count")
    func budget() async throws {
        let inspector = CallerInspector(serving: .all, budget: DescriptorBudget(descriptors: 200))
        let (child, caller) = try await connect(to: inspector, user, isApart: true)
        let strangers = try start(listener.path, other, opening: 1_000)
        guard case .closed = await network(of: caller) else {
            Issue.record("only another user has many descriptors")
            return
        }
        let own = try start(listener.path, user, opening: 1_000)
        guard case .unclear(let reason) = await network(of: caller) else {
            Issue.record("there are too many descriptors to search")
            return
        }
        #expect(reason.contains("too many processes or descriptors"))
        withExtendedLifetime((child, strangers, own)) {}
    }

    @Test("more processes of the client's user than the budget are unclear")
    func processes() async throws {
        let inspector = CallerInspector(serving: .all, budget: DescriptorBudget(tables: 3))
        let (child, caller) = try await connect(to: inspector, user, isApart: true)
        guard case .closed = await network(of: caller) else {
            Issue.record("it is the user's only process")
            return
        }
        let more = try (0..<3).map { _ in try start(listener.path, user) }
        guard case .unclear = await network(of: caller) else {
            Issue.record("there are too many processes to search")
            return
        }
        withExtendedLifetime((child, more)) {}
    }

    @Test("a process of the client's user that may not be traced is searched, too")
    func untraceable() throws {
        let code =
            "import ctypes, sys; ctypes.CDLL(None).prctl(4, 0); print('hidden', flush=True); sys.stdin.readline()"
        let child = try ChildProcess([
            "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--",
            "/usr/bin/python3", "-c", code,
        ])
        try #require(child.readLine() == "hidden")
        let search = DescriptorSearch(root: "/proc")
        #expect(try FileMetadata(path: "/proc/\(child.processIdentifier)/fd").owner == 0)
        #expect(search.isProcess(child.processIdentifier, of: user))
        #expect(!search.isProcess(child.processIdentifier, of: other))
        #expect(!search.isProcess(getpid(), of: user))
    }

    /// A TCP connection of the user's client, as the service's end sees it.
    private func connectTCP(_ port: UInt16, _ listener: Int32, _ user: UInt32) throws -> (ChildProcess, Int32) {
        let child = try start("\(port)", user)
        let socket = accept(listener, nil, nil)
        try #require(socket >= 0)
        return (child, socket)
    }

    @Test("forty TCP connections of one user wait for that user's turn; another's, and Unix connections, do not")
    func tcp() async throws {
        let (port, tcp) = try Self.listenTCP()
        defer { close(tcp) }
        let inspector = CallerInspector(serving: .all)
        let (child, connection) = try connectTCP(port, tcp, user)
        let (stranger, second) = try connectTCP(port, tcp, other)
        defer { for socket in [connection, second] { close(socket) } }
        let release = await inspector.searches.block(user)
        let waiting = (0..<40).map { _ in Task { try await inspector.inspect(tcp: connection).caller } }
        try await eventually { inspector.searches.waiting == 40 }

        #expect(try await inspector.inspect(tcp: second).caller.user == other)
        let (own, caller) = try await connect(to: inspector, user)
        #expect(caller.caller.process.processIdentifier == own.processIdentifier)
        #expect(inspector.searches.waiting == 40)
        release()
        for task in waiting { #expect(try await task.value.process.processIdentifier == child.processIdentifier) }
        #expect(stranger.processIdentifier != child.processIdentifier)
    }

    @Test("a TCP caller with too many descriptors is refused; one of a user that is not served is, without a search")
    func refused() async throws {
        let (port, tcp) = try Self.listenTCP()
        defer { close(tcp) }
        let (child, connection) = try connectTCP(port, tcp, user)
        defer { close(connection) }
        let own = try start(listener.path, user, opening: 1_000)
        let narrow = CallerInspector(serving: .all, budget: DescriptorBudget(descriptors: 200))
        let error = await #expect(throws: ProcessError.self) { try await narrow.inspect(tcp: connection) }
        #expect(error?.code == .ambiguous)
        #expect(error?.message.contains("too many processes or descriptors") == true)

        let personal = CallerInspector(serving: .one(other))
        let release = [await personal.searches.block(user), await personal.searches.block(other)]
        defer { for release in release { release() } }
        #expect(await failure(ProcessError.self) { try await personal.inspect(tcp: connection) }?.code == .otherUser)
        #expect(personal.credentials(tcp: connection) == nil)
        #expect(narrow.credentials(tcp: connection) == PeerCredentials(processIdentifier: 0, user: user))
        withExtendedLifetime((child, own)) {}
    }

    /// - Returns: a port of 127.0.0.1, and the socket that listens there.
    private static func listenTCP() throws -> (UInt16, Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (UInt16(bigEndian: address.sin_port), listener)
    }
}
