import Authorization
import Cryptography
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("The inspector of callers")
struct CallerInspectorTests {
    /// Perl is part of every Debian. It connects, says so, and does what the next line says.
    private static let client = """
        use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un($ARGV[0])) or die;
        $| = 1; print "connected\\n"; $_ = <STDIN>; chomp; exec $_, "1000" if $_; exit 0;
        """

    private let listener: UnixListener
    private let inspector = CallerInspector()

    init() throws { listener = try UnixListener() }

    private func connect(as prefix: [String] = [], perl: String = "/usr/bin/perl") throws -> (ChildProcess, Int32) {
        let child = try ChildProcess(prefix + [perl, "-e", Self.client, listener.path])
        #expect(child.readLine() == "connected")
        return (child, listener.accept())
    }

    @Test(
        "a program's metadata without asking its file system is that of stat", arguments: ["/proc/self/exe", "/bin/sh"])
    func cached(_ path: String) throws {
        let expected = try FileMetadata(path: path)
        #expect(try FileMetadata(cached: path) == expected)
        let reference = try FileUse.small.reference(to: path)
        #expect(try FileUse.cached.metadata(of: reference) == expected)
        #expect(try FileUse.small.metadata(of: path) == expected)
    }

    @Test("a path that the kernel knows needs no waiting; links of proc might")
    func withoutWaiting() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("1", to: "file")
        let link = folder.path + "/link"
        symlink(path, link)
        // Following a link writes its time of access, for which the kernel waits, unless it is later than the link's change.
        let now = time(nil)
        let times = [timespec(tv_sec: now + 60, tv_nsec: 0), timespec(tv_sec: now, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, link, times, AT_SYMLINK_NOFOLLOW) == 0)
        let expected = try FileMetadata(path: path)
        for known in [path, link] { #expect(try FileUse.cached.metadata(of: known) == expected) }
        #expect(failure(FileError.self) { try FileUse.cached.metadata(of: "/proc/self/exe") }?.code == .mayWait)
        unlink(path)
        #expect(failure(FileError.self) { try FileUse.cached.metadata(of: path) }?.code == .missing)
    }

    @Test("a caller is identified by process, start, user and program")
    func caller() async throws {
        let (child, socket) = try connect()
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        #expect(connected.caller.process.processIdentifier == child.processIdentifier)
        #expect(connected.caller.process.startTime == (try ProcessStatus(of: child.processIdentifier)).startTime)
        #expect(connected.caller.user == geteuid())
        let perl = URL(fileURLWithPath: "/usr/bin/perl").resolvingSymlinksInPath().path
        #expect(connected.caller.executable.path == perl)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: perl))
        #expect(
            connected.caller.executable.sha256 == SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined())
        #expect(connected.isAlive)
        #expect(!connected.isForegroundJobOfTerminal)
        try await connected.recheck()
    }

    @Test("the same program is read once for many callers")
    func digestIsKept() async throws {
        let digests = FileDigests()
        let inspector = CallerInspector(digests: digests)
        for _ in 0..<3 {
            let (child, socket) = try connect()
            defer { close(socket) }
            let caller = try await inspector.inspect(socket: socket).caller
            #expect(caller.process.processIdentifier == child.processIdentifier)
        }
        #expect(digests.readings == 1)
    }

    @Test("a program that changed just now is read again")
    func freshDigest() async throws {
        let folder = try TemporaryFolder()
        let copy = try copyOfPerl(in: folder)
        let digests = FileDigests()
        let inspector = CallerInspector(digests: digests)
        for _ in 0..<2 {
            // It is fresh however slow the machine is.
            #expect(chmod(copy, 0o755) == 0)
            let (child, socket) = try connect(perl: copy)
            defer { close(socket) }
            let caller = try await inspector.inspect(socket: socket).caller
            #expect(caller.executable.path == copy)
            #expect(caller.process.processIdentifier == child.processIdentifier)
        }
        #expect(digests.readings == 2)
    }

    @Test("another user's process is refused", .enabled(if: geteuid() == 0, "needs root to become another user"))
    func otherUser() async throws {
        let (child, socket) = try connect(
            as: ["/usr/bin/setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--"])
        defer { close(socket) }
        #expect(await failure(ProcessError.self) { try await inspector.inspect(socket: socket) }?.code == .otherUser)
        #expect(try PeerCredentials(socket: socket).user == 12345)
        // A service that serves everybody takes it.
        let caller = try await CallerInspector(serving: .all).inspect(socket: socket).caller
        #expect(caller.user == 12345)
        #expect(caller.process.processIdentifier == child.processIdentifier)
    }

    @Test("a process that ended is refused, waited for or not", arguments: [true, false])
    func vanished(reaped: Bool) async throws {
        var (child, socket): (ChildProcess?, Int32) = try connect()
        defer { close(socket) }
        child?.end()
        if reaped { child = nil }
        #expect(await failure(ProcessError.self) { try await inspector.inspect(socket: socket) }?.code == .vanished)
    }

    @Test("exec after connecting is noticed")
    func exec() async throws {
        let (child, socket) = try connect()
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        child.writeLine("/bin/sleep")
        waitForProgram(child.processIdentifier, "sleep")
        #expect(await failure(ProcessError.self) { try await connected.recheck() }?.code == .executableChanged)
        #expect(connected.isAlive)
    }

    @Test(
        "exec of a setuid program after connecting is noticed",
        .enabled(if: geteuid() == 0, "needs root to make one and to become another user"))
    func execOfSetuidProgram() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/sleep"
        try ChildProcess([
            "/bin/sh", "-c", "cp /bin/sleep \(program) && chmod 4755 \(program) && chmod 755 \(folder.path)",
        ])
        .waitForEnd()
        let (child, socket) = try connect(
            as: ["/usr/bin/setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--"])
        defer { close(socket) }
        let connected = try await CallerInspector(serving: .one(12345)).inspect(socket: socket)
        try await connected.recheck()
        child.writeLine(program)
        waitForProgram(child.processIdentifier, program)
        #expect(await failure(ProcessError.self) { try await connected.recheck() }?.code == .executableChanged)
    }

    @Test("a caller with a deleted program is identified and matches no manifest")
    func deleted() async throws {
        let folder = try TemporaryFolder()
        let copy = try copyOfPerl(in: folder)
        let (child, socket) = try connect(perl: copy)
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        unlink(copy)
        try await connected.recheck()
        try folder.write("another", to: "perl", permissions: 0o755)
        let later = try await inspector.inspect(socket: socket).caller
        #expect(later.executable.path == copy + " (deleted)")
        #expect(later.executable.inode == connected.caller.executable.inode)
        #expect(later.process.processIdentifier == child.processIdentifier)
        let manifest = Samples.manifest(of: copy)
        let catalog = ClientDirectory(systemFolders: [], userFolder: nil, builtIn: [manifest]).catalog()
        #expect(catalog.client(for: later).manifest == nil)
    }

    @Test("a reused process identifier is noticed")
    func reused() throws {
        let (child, socket) = try connect()
        defer { close(socket) }
        let stranger = try ChildProcess(["/bin/sleep", "1000"])
        let credentials = try PeerCredentials(socket: socket)
        let handle = try ProcessHandle(socket: socket, credentials: credentials)
        child.end()
        // The kernel gives an identifier away late; so proc is given in which it already happened.
        let folder = try TemporaryFolder()
        let root = folder.path + "/\(child.processIdentifier)"
        mkdir(root, 0o700)
        let stat = try String(contentsOfFile: "/proc/\(stranger.processIdentifier)/stat", encoding: .utf8)
        try folder.write(
            stat.replacingOccurrences(of: "\(stranger.processIdentifier) (", with: "\(child.processIdentifier) ("),
            to: "\(child.processIdentifier)/stat")
        symlink("/proc/\(stranger.processIdentifier)/exe", root + "/exe")
        let error = #expect(throws: ProcessError.self) {
            try CallerInspector(root: folder.path).look(credentials, handle)
        }
        #expect(error?.code == .vanished)
    }

    @Test("a descriptor that is not a Unix connection is refused")
    func noSocket() async throws {
        #expect(await failure(ProcessError.self) { try await inspector.inspect(socket: -1) }?.code == .failed)
        let tcp = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(tcp) }
        await #expect(throws: ProcessError.self) { try await inspector.inspect(socket: tcp) }
    }

    @Test("a caller in the foreground of a terminal is detected with its terminal")
    func terminal() async throws {
        let terminal = try PseudoTerminal()
        let child = try ChildProcess(["/usr/bin/perl", "-e", Self.client, listener.path], terminal: terminal.path)
        #expect(child.readLine() == "connected")
        let socket = listener.accept()
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        #expect(connected.isForegroundJobOfTerminal)
        let status = try ProcessStatus(of: connected.caller.process.processIdentifier)
        #expect(try status.terminal == #require(ProcessStatus.terminal(at: terminal.path)))
        #expect(status.isForegroundJobOfTerminal)
    }

    @Test("a background job of a terminal is not in its foreground")
    func background() throws {
        let terminal = try PseudoTerminal()
        let child = try ChildProcess(
            ["/bin/bash", "-c", "set -m; /bin/sleep 1000 & echo $!; wait"], terminal: terminal.path)
        let job = try #require(Int32(child.readLine()))
        defer { kill(job, SIGKILL) }
        #expect(try !ProcessStatus(of: job).isForegroundJobOfTerminal)
        #expect(try ProcessStatus(of: job).terminal == #require(ProcessStatus.terminal(at: terminal.path)))
        #expect(try ProcessStatus(of: child.processIdentifier).isForegroundJobOfTerminal)
    }

    /// Copied by another process: if this one had it open for writing, a child started meanwhile by another test would
    /// have that too, and no process could execute the copy (ETXTBSY).
    private func copyOfPerl(in folder: TemporaryFolder) throws -> String {
        let copy = folder.path + "/perl"
        try ChildProcess(["/bin/cp", "/usr/bin/perl", copy]).waitForEnd()
        return copy
    }

    /// Waits without a clock: each look is a system call that gives the other process its turn.
    private func waitForProgram(_ process: Int32, _ name: String) {
        while (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"))?.hasSuffix(name)
            != true
        {
            sched_yield()
        }
    }
}
