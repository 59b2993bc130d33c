import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Evidence of a script", .timeLimit(.minutes(2)))
struct ScriptEvidenceTests {
    /// Connects, says so, and runs what the next line says: a program, or a Python expression behind "!".
    private static let code = """
        import os, socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(os.environ.get("SOCKET", sys.argv[-1])); s.set_inheritable(True)
        print("connected", flush=True)
        for line in iter(sys.stdin.readline, ""):
            if line.startswith("!"): exec(line[1:]); print("done", flush=True)
            else: os.execv(line.split()[0], line.split())
        """
    private static let python = "/usr/bin/python3"

    private let listener: UnixListener
    private let folder: TemporaryFolder
    private let script: String
    private let inspector = CallerInspector()

    init() throws {
        listener = try UnixListener()
        folder = try TemporaryFolder()
        script = try folder.write(Self.code, to: "notes.py", permissions: 0o755)
    }

    private func connect(_ arguments: [String]) throws -> (ChildProcess, Int32) {
        let child = try ChildProcess(arguments + [listener.path])
        #expect(child.readLine() == "connected")
        return (child, listener.accept())
    }

    private func caller(_ arguments: [String]) async throws -> Caller {
        let (child, socket) = try connect(arguments)
        defer { close(socket) }
        defer { withExtendedLifetime(child) {} }
        return try await inspector.inspect(socket: socket).caller
    }

    private func manifest(_ script: String) -> Manifest { Samples.manifest(of: Self.python, binding: .script(script)) }

    private func client(_ caller: Caller, _ manifest: Manifest) -> Client {
        ClientCatalog(clients: [RegisteredClient(manifest: manifest, path: nil)], problems: [:]).client(for: caller)
    }

    @Test("a script is identified by its bytes and its file for any path or link, also in the settings")
    func known() async throws {
        symlink(script, folder.path + "/link.py")
        let settings = try await inspector.program(of: manifest(script), for: geteuid())
        for arguments in [
            [Self.python, script], [Self.python, "-u", folder.path + "/link.py"],
            ["/bin/sh", "-c", "cd \(folder.path) && exec \(Self.python) ./notes.py $0"],
            [
                "/usr/bin/env", "-C", folder.path, Self.python,
                "../\((folder.path as NSString).lastPathComponent)/link.py",
            ],
        ] {
            let caller = try await caller(arguments)
            guard case .script(let interpreter) = caller.evidence else {
                Issue.record("\(arguments): \(caller.evidence)")
                continue
            }
            #expect(Interpreter(program: interpreter.path) != nil)
            #expect(AllowedProgram(caller.executable) == settings)
            #expect(client(caller, manifest(script)).manifest != nil)
            #expect(client(caller, manifest(Self.python)).manifest == nil)
        }
    }

    @Test("a script is identified by its first line, and a copy is another program")
    func shebang() async throws {
        let code = "#!\(Self.python)\n" + Self.code
        try ChildProcess([
            "/bin/sh", "-c", "cat > \(folder.path)/run.py <<'E'\n\(code)\nE\nchmod +x \(folder.path)/run.py",
        ])
        .waitForEnd()
        try ChildProcess(["/bin/cp", folder.path + "/run.py", folder.path + "/copy.py"]).waitForEnd()
        let (original, copy) = (
            try await caller([folder.path + "/run.py"]), try await caller([folder.path + "/copy.py"])
        )
        #expect(original.executable.path.hasSuffix("/run.py"))
        #expect(original.executable.sha256 == copy.executable.sha256)
        #expect(client(original, manifest(folder.path + "/run.py")).manifest != nil)
        #expect(client(copy, manifest(folder.path + "/run.py")).manifest == nil)
    }

    @Test("code without a file is identified as its interpreter only, and no manifest matches")
    func inlineCode() async throws {
        let program = try FileMetadata(path: Self.python)
        let manifests = [
            manifest(script), manifest(Self.python), Samples.manifest(of: Self.python, as: "org.example.python"),
        ]
        for arguments in [
            [Self.python, "-c", Self.code], [Self.python, "-c", Self.code, script],
            ["/usr/bin/env", "PYTHONPATH=\(folder.path)", Self.python, "-m", "notes"],
            ["/bin/sh", "-c", "exec \(Self.python) /dev/fd/3 $0 3< \(script)"],
        ] {
            let caller = try await caller(arguments)
            #expect(caller.evidence == .interpreter, "\(arguments)")
            #expect(caller.executable.inode == program.inode)
            for manifest in manifests { #expect(client(caller, manifest).manifest == nil) }
        }
    }

    @Test("a script on standard input is identified as its interpreter only")
    func standardInput() async throws {
        let code =
            "import os,socket,time;s=socket.socket(socket.AF_UNIX);s.connect(os.environ['SOCKET']);time.sleep(1000)"
        let child = try ChildProcess(["/usr/bin/env", "SOCKET=\(listener.path)", Self.python, "-u", "-"])
        child.writeLine("exec(\"\"\"\(code)\"\"\")\n")
        child.closeInput()
        let socket = listener.accept()
        defer { close(socket) }
        #expect(try await inspector.inspect(socket: socket).caller.evidence == .interpreter)
    }

    @Test("a script that is edited or removed while it runs is noticed, and its new connections are untrusted")
    func edited() async throws {
        let (child, socket) = try connect([Self.python, script])
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        try await connected.recheck()
        // A file's time has the grain of a clock tick.
        while try await inspector.inspect(socket: socket).caller.executable == connected.caller.executable {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: script)
            let writing = try FileHandle(forWritingTo: URL(fileURLWithPath: script))
            try writing.seekToEnd()
            try writing.write(contentsOf: Data("#".utf8))
            try writing.close()
        }
        #expect(await failure(ProcessError.self) { try await connected.recheck() }?.code == .executableChanged)
        // Its bytes and its date are put back: when its entry changed cannot be. Changes in the first 50 ms of the process are
        // not told from those before it.
        var again: Caller
        repeat {
            try Data(Self.code.utf8).write(to: URL(fileURLWithPath: folder.path + "/again"))
            rename(folder.path + "/again", script)
            again = try await inspector.inspect(socket: socket).caller
        } while !again.evidence.isUntrusted
        unlink(script)
        // It is not taken for code without a file, about which the user would be asked.
        #expect(try await inspector.inspect(socket: socket).caller.evidence.isUntrusted)
        #expect(child.processIdentifier == again.process.processIdentifier)
    }

    @Test("a link that leads to another script since the start does not make it that one")
    func exchangedLink() async throws {
        let evil = try folder.write(Self.code + "\n# another", to: "evil.py")
        for (link, target, later) in [
            ("link.py", evil, script), ("folder", folder.path + "/bad", folder.path + "/good"),
        ] {
            for (name, code) in [("bad", Self.code + "\n# bad"), ("good", Self.code)] {
                try folder.write(code, to: name + "/notes.py")
            }
            let path = folder.path + "/" + link
            symlink(target, path)
            let (child, socket) = try connect([Self.python, link == "folder" ? path + "/notes.py" : path])
            defer { close(socket) }
            guard case .script = try await inspector.inspect(socket: socket).caller.evidence else {
                Issue.record("\(link): not a script before")
                continue
            }
            // The clocks of a file and of a start are compared with a tolerance, so the first exchange may not be seen.
            var last = try await inspector.inspect(socket: socket).caller
            while case .script = last.evidence {
                symlink(later, path + ".new")
                rename(path + ".new", path)
                last = try await inspector.inspect(socket: socket).caller
            }
            guard case .untrusted = last.evidence else {
                Issue.record("\(link): \(last.evidence)")
                continue
            }
            #expect(last.process.processIdentifier == child.processIdentifier)
        }
    }

    @Test("a script whose name is not UTF-8 is not one whose name looks the same")
    func otherBytes() async throws {
        let shown = try folder.write("pass", to: "\u{FFFD}.py")
        let command =
            "cp '\(script)' \"$(printf '\(folder.path)/\\377.py')\"; exec \(Self.python) \"$(printf '\(folder.path)/\\377.py')\" $0"
        let caller = try await caller(["/bin/sh", "-c", command])
        #expect(caller.evidence == .interpreter)
        #expect(client(caller, manifest(shown)).manifest == nil)
    }

    @Test("the same interpreter on another script after connecting is noticed")
    func execOfAnotherScript() async throws {
        let other = try folder.write("import time\nprint('other', flush=True)\ntime.sleep(1000)\n", to: "other.py")
        let (child, socket) = try connect([Self.python, script])
        defer { close(socket) }
        let connected = try await inspector.inspect(socket: socket)
        child.writeLine("\(Self.python) \(other)")
        #expect(child.readLine() == "other")
        #expect(await failure(ProcessError.self) { try await connected.recheck() }?.code == .executableChanged)
        #expect(connected.isAlive)
    }

    @Test(
        "a script on the process's own mount is the file of that mount",
        .enabled(if: geteuid() == 0, "needs root to mount"))
    func bindMounted() async throws {
        let evil = try folder.write(Self.code + "\n# another", to: "evil.py")
        let command = "mount --bind \(evil) \(script) && exec \(Self.python) \(script) $0"
        let caller = try await caller(["/usr/bin/unshare", "-m", "/bin/sh", "-c", command])
        let file = try FileMetadata(path: evil)
        #expect(caller.executable.inode == file.inode)
        #expect(client(caller, manifest(script)).manifest == nil)
        #expect(client(caller, manifest(evil)).manifest != nil)
    }

    @Test(
        "a script in another root folder is the file in that folder",
        .enabled(if: geteuid() == 0, "needs root to change the root folder"))
    func otherRoot() async throws {
        // The same path in the other root leads to another file, by an absolute link that must stay inside.
        let top = folder.path + "/top"
        let evil = try folder.write(Self.code + "\n# another", to: "top\(folder.path)/evil.py")
        symlink(folder.path + "/evil.py", top + script)
        let command = """
            for d in usr lib lib64 bin dev tmp; do mkdir -p \(top)/$d; done
            mount --rbind /usr \(top)/usr; mount --rbind /dev \(top)/dev
            [ -L /lib ] && rmdir \(top)/lib \(top)/lib64 \(top)/bin && cp -P /lib /lib64 /bin \(top)/
            mkdir -p \(top)\((listener.path as NSString).deletingLastPathComponent)
            mount --bind \((listener.path as NSString).deletingLastPathComponent) \
            \(top)\((listener.path as NSString).deletingLastPathComponent)
            exec /usr/sbin/chroot \(top) \(Self.python) \(script) $0
            """
        let caller = try await caller(["/usr/bin/unshare", "-m", "/bin/sh", "-c", command])
        #expect(caller.executable.inode == (try FileMetadata(path: evil)).inode)
        #expect(client(caller, manifest(script)).manifest == nil)
    }

    /// A limit that Documentation/Attacks.md names.
    @Test("a script that overwrites its arguments with another's name is identified as that one")
    func forgedArguments() async throws {
        let good = try folder.write("pass\n" + String(repeating: "#", count: 10), to: "good.py")
        let evil = try folder.write(Self.code, to: "evil.py")
        let (child, socket) = try connect([Self.python, evil])
        defer { close(socket) }
        #expect(try await inspector.inspect(socket: socket).caller.executable.path == evil)
        let from = evil.utf8.count
        #expect(from == good.utf8.count)
        child.writeLine(
            "!m=open('/proc/self/mem','r+b',0);a=[l for l in open('/proc/self/stat').read().split()][47];"
                + "m.seek(int(a)+len('\(Self.python)')+1);m.write(b'\(good)')")
        #expect(child.readLine() == "done")
        #expect(try await inspector.inspect(socket: socket).caller.executable.path == good)
    }
}

extension Evidence {
    fileprivate var isUntrusted: Bool { if case .untrusted = self { true } else { false } }
}
