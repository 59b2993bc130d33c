import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Programs that claim another identity", .timeLimit(.minutes(3)))
struct IdentityAttackTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    private var opened: VirtualMicrophoneLog { VirtualMicrophoneLog(folder.path + "/opened") }

    /// Says `GET /v1/authorization` on the socket in `s` and prints the answer's last line.
    private static let ask = """
        import array, os, socket, sys
        def ask(s, path="/v1/authorization", body=None, method="GET"):
            head = "%s %s HTTP/1.1\\r\\nHost: v\\r\\nConnection: close\\r\\n" % (method, path)
            if body is not None: head += "Content-Length: %d\\r\\n" % len(body)
            s.sendall((head + "\\r\\n" + (body or "")).encode())
            data = b""
            while True:
                try: part = s.recv(65536)
                except OSError: part = b""
                if not part: break
                data += part
            print("answer " + data.decode().replace("\\r\\n", " ").strip(), flush=True)
        def connect():
            s = socket.socket(socket.AF_UNIX); s.connect(os.environ["VOICEGATE"]); return s

        """

    init() async throws {
        folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        microphone.openedFile = folder.path + "/opened"
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
    }

    private func python(_ code: String, name: String = "script") throws -> RunningProgram {
        try start(["/usr/bin/python3", service.registerScript(Self.ask + code, name: name)])
    }

    private func start(_ words: [String], _ more: [String: String] = [:]) throws -> RunningProgram {
        try RunningProgram(
            words,
            environment: service.environment.merging(["VOICEGATE": service.socket]) { $1 }.merging(more) { $1 })
    }

    @Test(
        "a process that runs another program after connecting is refused", arguments: ["/bin/cat", "curl", "voicegate"])
    func execAfterConnect(_ program: String) async throws {
        try service.registerCurl()
        // The program that comes after is a client itself, and the command line even the person's voice.
        let path = ["curl": Programs.curl, "voicegate": Programs.commandLine][program] ?? program
        // Each of them stays: the first two read their input, which does not end.
        let words =
            switch program {
            case "voicegate": "'status', '--follow', '--socket', os.environ['VOICEGATE']"
            case "curl": "'--config', '-'"
            default: "'-'"
            }
        let client = try python(
            """
            s = connect()
            s.sendall(b"GET /v1/health HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n"); s.recv(65536)
            os.set_inheritable(s.fileno(), True)
            parent = os.getpid()
            if os.fork() == 0:
                while os.readlink("/proc/%d/exe" % parent) != os.path.realpath("\(path)"): os.sched_yield()
                ask(s, "/v1/settings/org.example.curl", '{"resource":"microphone","choice":"allow"}', "PUT")
                os.kill(parent, 9)
                os._exit(0)
            os.execv("\(path)", ["\(path)", \(words)])
            """)
        let answer = try await client.line { $0.hasPrefix("answer ") }
        #expect(answer.contains("403"), "\(answer)")
        #expect(answer.contains("runs another program"), "\(answer)")
        await client.end()
        #expect(try await !service.records().contains { $0.kind == "decision.granted" })
    }

    @Test(
        "a socket that is handed to another process belongs to the process that connected, and to none after its end"
    )
    func passedSocket() async throws {
        let other = try service.folder.write(
            Self.ask + """
                import signal
                # The end of a session's leader would end it, too.
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
                carrier = socket.socket(fileno=0)
                message, data, flags, address = carrier.recvmsg(1, socket.CMSG_SPACE(4))
                s = socket.socket(fileno=array.array("i", data[0][2])[0])
                carrier.sendall(b".")
                if message == b"2":
                    while os.path.exists("/proc/%d/exe" % int(sys.argv[1])) and os.getppid() == int(sys.argv[1]):
                        os.sched_yield()
                ask(s)
                """, to: "other.py")
        for round in [1, 2] {
            let client = try python(
                """
                import subprocess
                s = connect()
                s.sendall(b"GET /v1/health HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n"); s.recv(65536)
                here, there = socket.socketpair()
                child = subprocess.Popen([sys.executable, "\(other)", str(os.getpid())], stdin=there)
                here.sendmsg([b"\(round)"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))])
                here.recv(1)
                if \(round) == 2: os.kill(os.getpid(), 9)
                child.wait()
                """, name: "connector")
            let answer = try await client.line { $0.hasPrefix("answer") }
            if round == 1 {
                #expect(answer.contains(#""client":"org.example.connector""#), "\(answer)")
            } else {
                #expect(!answer.contains("org.example"), "\(answer)")
                #expect(!answer.contains("200 OK"), "\(answer)")
            }
            await client.end()
        }
    }

    @Test("a caller's claims about its process, user or name are ignored")
    func claims() async throws {
        let claims =
            #"{"resource":"microphone","pid":1,"uid":0,"client":"io.voicegate.cli","name":"Good","executable":"/x"}"#
        let client = try python(
            """
            ask(connect(), "/v1/authorization?client=io.voicegate.cli&pid=1")
            ask(connect(), "/v1/authorization/requests", '\(claims)', "POST")
            """)
        await client.end()
        #expect(client.lines.count == 2)
        for line in client.lines { #expect(line.contains(#""client":"org.example.script""#), "\(line)") }
        let records = try await service.records()
        let granted = try #require(records.first { $0.kind == "decision.granted" })
        #expect(granted.text("client") == "org.example.script")
        #expect(granted.fields["user"] as? Int == Int(getuid()))
        #expect(granted.text("executable")?.hasSuffix("/scripts/script.py") == true)
        #expect(!records.contains { "\($0.fields)".contains("Good") })
    }

    @Test("a requester that ends while the person reads is recorded as unanswered, and gets nothing")
    func endsDuringPrompt() async throws {
        let client = try python(
            """
            for n in range(20):
                if os.fork() == 0:
                    s = connect()
                    s.sendall(b"POST /v1/dictation HTTP/1.1\\r\\nHost: v\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
                    os._exit(0)
            for n in range(20): os.wait()
            print("done", flush=True)
            """)
        try await client.line { $0 == "done" }
        await client.end()
        #expect(await service.stop() == 0)
        #expect(opened.count(.open) == opened.count(.close))
    }

    @Test("a child of a client that is allowed inherits nothing")
    func child() async throws {
        let child = try service.folder.write(Self.ask + "ask(connect(), '/v1/dictation', '{}', 'POST')", to: "child.py")
        let client = try python(
            """
            import subprocess
            ask(connect(), "/v1/authorization/requests", '{}', "POST")
            subprocess.run([sys.executable, "\(child)"])
            subprocess.run(["\(Programs.curl)", "-s", "--unix-socket", os.environ["VOICEGATE"], "http://v/v1/authorization"])
            """, name: "terminal")
        await client.end()
        #expect(client.lines.count == 3, "\(client.lines)")
        #expect(client.lines.first?.contains(#""microphone":"authorized""#) == true, "\(client.lines)")
        #expect(client.lines.dropFirst().first?.contains("missingManifest") == true, "\(client.lines)")
        let curl = try UnregisteredProgram.identifier(ofFile: Programs.curl)
        #expect(client.lines.last?.contains(#""client":"\#(curl)""#) == true, "\(client.lines)")
        #expect(opened.entries.isEmpty)
    }

    @Test("an interpreter whose code is not a file is not a client, though its manifest exists")
    func inlineCode() async throws {
        _ = try service.registerScript("pass")
        let code = Self.ask + "ask(connect(), '/v1/dictation', '{}', 'POST')\n"
        let inline = try start(["/usr/bin/python3", "-c", code])
        await inline.end()
        #expect(inline.lines.joined().contains("403"), "\(inline.lines)")
        let python = try UnregisteredProgram.identifier(ofFile: "/usr/bin/python3")
        #expect(inline.lines.joined().contains(python), "\(inline.lines)")
        let piped = try start(["/usr/bin/python3", "-"])
        try piped.type(code)
        try piped.closeInput()
        await piped.end()
        #expect(piped.lines.joined().contains(python), "\(piped.lines)")
        #expect(opened.entries.isEmpty)
    }

    @Test(
        "a program mounted over an allowed one is identified as itself; a copy, a link and a deleted one are too",
        .enabled(if: getuid() == 0, "needs root to mount"))
    func otherFiles() async throws {
        try service.registerCurl()
        #expect(try await service.run(["settings", "org.example.curl", "--allow", "microphone"]).status == 0)
        let perl = """
            use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ENV{VOICEGATE})); S->autoflush(1);
            print S "GET /v1/authorization HTTP/1.1\\r\\nHost: v\\r\\nConnection: close\\r\\n\\r\\n"; print while <S>;
            """
        let mounted = try start([
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "mount --bind /usr/bin/perl \(Programs.curl); exec curl -e '\(perl)'",
        ])
        await mounted.end()
        let perlProgram = try UnregisteredProgram.identifier(ofFile: "/usr/bin/perl")
        #expect(mounted.lines.joined().contains(#""client":"\#(perlProgram)""#), "\(mounted.lines)")
        let copy = service.folder.path + "/curl"
        let get = "-s --unix-socket $VOICEGATE http://v/v1/authorization"
        for (command, client) in [
            (
                "cp \(Programs.curl) \(copy); exec \(copy) \(get)",
                try UnregisteredProgram.identifier(ofFile: Programs.curl)
            ),
            ("ln -sf \(Programs.curl) \(copy)2; exec \(copy)2 \(get)", "org.example.curl"),
        ] {
            let program = try start(["/bin/sh", "-c", command])
            await program.end()
            #expect(program.lines.joined().contains(#""client":"\#(client)""#), "\(program.lines)")
        }
    }

    @Test("HOME and XDG variables of a caller move nothing that the service uses")
    func environment() async throws {
        try service.registerCurl()
        let elsewhere = try TemporaryFolder()
        let variables = Dictionary(
            uniqueKeysWithValues: ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"].map {
                ($0, elsewhere.path)
            })
        #expect(try await service.run(["settings", "org.example.curl", "--deny", "microphone"]).status == 0)
        let curl = try start(
            [Programs.curl, "-s", "--unix-socket", service.socket, "http://v/v1/authorization"], variables)
        await curl.end()
        #expect(curl.lines.joined().contains(#""microphone":"denied""#), "\(curl.lines)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    }

    /// Outside of what advisory mode can do; Documentation/Attacks.md says so.
    @Test("foreign code in a client, by LD_PRELOAD or as its debugger, is taken for the client")
    func foreignCode() async throws {
        try service.registerCurl()
        #expect(try await service.run(["settings", "org.example.curl", "--allow", "microphone"]).status == 0)
        let get = [Programs.curl, "-s", "--unix-socket", service.socket, "http://v/v1/authorization"]
        let preloaded = try start(get, ["LD_PRELOAD": "libm.so.6"])
        await preloaded.end()
        #expect(preloaded.lines.joined().contains(#""client":"org.example.curl""#), "\(preloaded.lines)")
        // PTRACE_TRACEME before the exec: the child then stops at it, and goes on as its parent says.
        let debugger = try service.folder.write(
            """
            import ctypes, os, sys
            libc = ctypes.CDLL(None, use_errno=True)
            child = os.fork()
            if child == 0:
                libc.ptrace(0, 0, None, None)
                os.execv(sys.argv[1], sys.argv[1:])
            os.waitpid(child, 0)
            print([l for l in open("/proc/%d/status" % child) if l.startswith("TracerPid")][0].split()[1] == str(os.getpid()),
                  flush=True)
            libc.ptrace(7, child, None, None)
            while os.WIFSTOPPED(os.waitpid(child, 0)[1]): libc.ptrace(7, child, None, None)
            """, to: "debugger.py")
        let traced = try start(["/usr/bin/python3", debugger] + get)
        await traced.end()
        #expect(traced.lines.first == "True", "\(traced.errorText)")
        #expect(traced.lines.joined().contains(#""client":"org.example.curl""#), "\(traced.lines)")
    }
}
