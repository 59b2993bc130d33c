import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// Files of a server of this test's own that stops answering, as one behind a dead network does.
private final class SilentFiles {
    let path: String
    private let files: TemporaryFolder
    private let place: TemporaryFolder
    private let server: ChildProcess

    init(_ contents: [String: String]) throws {
        files = try TemporaryFolder()
        place = try TemporaryFolder()
        path = place.path
        for (name, text) in contents { try files.write(text, to: name) }
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/silent_files.py").path
        server = try ChildProcess(["/usr/bin/python3", tool, path, files.path])
        try #require(server.readLine() == "ready")
    }

    func stopAnswering() {
        server.writeLine("stop")
        #expect(server.readLine() == "silent")
    }

    /// What waits for it fails then.
    func end() {
        server.closeInput()
        server.waitForEnd()
    }
}

private let canMount = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

@Suite(
    "A file server that does not answer", .timeLimit(.minutes(2)),
    .enabled(if: canMount, "needs root and /dev/fuse to mount a file system"))
struct SilentFileServerTests {
    /// Connects when it is told to, and runs each further line.
    private static let code = """
        import os, socket, sys
        print("started", flush=True)
        for line in iter(sys.stdin.readline, ""): exec(line); print("done", flush=True)
        """
    private static let connecting = "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[-1])"

    private let listener: UnixListener
    private let digests = FileDigests()

    init() throws { listener = try UnixListener() }

    private func start(_ script: String) throws -> ChildProcess {
        let child = try ChildProcess(["/usr/bin/python3", script, listener.path])
        try #require(child.readLine() == "started")
        return child
    }

    private func connect(_ child: ChildProcess) throws -> Int32 {
        child.writeLine(Self.connecting)
        try #require(child.readLine() == "done")
        return listener.accept()
    }

    /// Connects from perl as another user, whose programs no server has.
    private func connectAsOther() throws -> (ChildProcess, Int32) {
        let client = """
            use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un($ARGV[0])) or die;
            $| = 1; print "connected\\n"; <STDIN>;
            """
        let child = try ChildProcess([
            "/usr/bin/setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--", "/usr/bin/perl", "-e", client,
            listener.path,
        ])
        try #require(child.readLine() == "connected")
        return (child, listener.accept())
    }

    @Test("a script that was identified is checked at each request without its server, and a manifest of it too")
    func recheck() async throws {
        let files = try SilentFiles(["notes.py": Self.code])
        defer { files.end() }
        let script = files.path + "/notes.py"
        let child = try start(script)
        let socket = try connect(child)
        defer { close(socket) }
        let inspector = CallerInspector(serving: .all, digests: digests, limit: .seconds(1))
        let connected = try await inspector.inspect(socket: socket)
        #expect(connected.caller.executable.path == script)
        guard case .script(let interpreter) = connected.caller.evidence else {
            Issue.record("\(connected.caller.evidence)")
            return
        }
        let manifest = Samples.manifest(of: interpreter.path, binding: .script(script))
        #expect(manifest.matches(connected.caller))
        files.stopAnswering()

        try await connected.recheck()
        #expect(try !connected.recheckAtOnce())
        // The name is still known to the kernel.
        #expect(try await connected.matches(manifest, as: connected.caller))
        let unknown = Samples.manifest(of: files.path + "/other.py", as: "org.example.other")
        let program = Caller(
            process: connected.caller.process, user: connected.caller.user, executable: connected.caller.executable)
        #expect(unknown.matchesAtOnce(program) == nil)
        let error = await #expect(throws: ProcessError.self) { try await connected.matches(unknown, as: program) }
        #expect(error?.code == .unanswered)
    }

    @Test("a new script of its files is refused in time, and another user's program is identified meanwhile")
    func inspect() async throws {
        let files = try SilentFiles(["notes.py": Self.code])
        defer { files.end() }
        let child = try start(files.path + "/notes.py")
        let inspector = CallerInspector(serving: .all, digests: digests, limit: .seconds(5))
        files.stopAnswering()
        let sockets = try (0..<6).map { _ in try connect(child) }
        defer { for socket in sockets { close(socket) } }
        let refused = Task {
            await withTaskGroup(of: ProcessErrorCode?.self) { group in
                for socket in sockets {
                    group.addTask {
                        do throws(ProcessError) {
                            _ = try await inspector.inspect(socket: socket)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        // As many as may run of one user.
        try await eventually { inspector.looks.waiting == 2 }
        let (other, socket) = try connectAsOther()
        defer { close(socket) }
        let caller = try await inspector.inspect(socket: socket).caller
        #expect(caller.process.processIdentifier == other.processIdentifier)
        #expect(caller.user == 12345)
        #expect(await refused.value == Array(repeating: .unanswered, count: 6))
    }
}
