import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Who runs the command line", .timeLimit(.minutes(3)))
struct ResponsibleProgramTests {
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: [
                #"{"client":"\#(Self.identifier("tool.py"))","resource":"*","answer":"once"}"#,
                #"{"client":"*","resource":"*","answer":"whileInUse"}"#,
            ], model: .english)
    }

    /// Each has its own bytes.
    private func write(_ name: String) throws -> String { try service.folder.write(Self.code(name), to: name) }
    private static func code(_ name: String) -> String { runs + "# \(name)\n" }
    private static func identifier(_ name: String) -> String { UnregisteredProgram.identifier(of: code(name)) }
    private static let runs = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)\n"

    /// A command of the command line, run by whatever `words` begins with.
    private func run(_ words: [String], _ command: [String]) async throws -> (status: Int32, all: String) {
        let program = try RunningProgram(
            words + [Programs.commandLine] + command + ["--socket", service.socket], environment: service.environment)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines.joined(separator: "\n") + program.errorText)
    }

    private func client(_ words: [String]) async throws -> String {
        let (status, output) = try await run(words, ["status", "--json"])
        #expect(status == 0, "\(output)")
        return try #require(output.firstMatch(of: /"client":"([^"]*)"/)).1.description
    }

    @Test("alone in its session, or behind a shell at which a person types, the command line is its own client")
    func itself() async throws {
        #expect(try await client([]) == "io.voicegate.cli")
        #expect(try await client(["/bin/bash", "-c", #""$0" "$@"; exit $?"#]) == "io.voicegate.cli")
        #expect(try await client(["/bin/bash", "-c", #"("$0" "$@" | cat)"#]) == "io.voicegate.cli")
    }

    @Test("typed at a real terminal, in a subshell and in a pipeline, it is the person's own")
    func typed() async throws {
        let shell = try RunningProgram(
            ["/usr/bin/script", "-qefc", "/bin/bash --norc", "/dev/null"], environment: service.environment)
        let command = "\(Programs.commandLine) status --json --socket \(service.socket)"
        for (number, line) in [command, "(\(command); true)", "\(command) | cat", "true | (\(command); true)"]
            .enumerated()
        {
            try shell.type(line + "\n")
            try await shell.shows(#""client":"io.voicegate.cli""#, times: number + 1)
        }
        // And a shell inside it, which a script on its standard input is not.
        try shell.type("echo '\(command)' | /bin/bash\n")
        try await shell.shows(#""name":"bash (via"#)
        try shell.type("/bin/bash --norc\n\(command)\n")
        try await shell.shows(#""client":"io.voicegate.cli""#, times: 5)
        shell.signal(SIGKILL)
    }

    @Test("a script without a manifest that runs it is the client: named, and allowed once at most")
    func unregistered() async throws {
        let tool = try write("tool.py")
        #expect(try await client(["/usr/bin/python3", tool]) == Self.identifier("tool.py"))
        let dictate = ["dictate", "--stop-after-silence", "1"]
        for _ in 0..<2 {
            let (status, output) = try await run(["/usr/bin/python3", tool], dictate)
            #expect(status == 0, "\(output)")
        }
        let records = try await service.records()
        // Asked each time: once is once. The command line's own permission is a different one.
        let granted = records.filter { $0.kind == "decision.granted" }
        #expect(granted.map { $0.text("scope") } == ["once", "once", "once", "once"])
        #expect(granted.allSatisfy { $0.text("client") == Self.identifier("tool.py") })
        #expect(granted.allSatisfy { $0.text("clientName") == "tool.py (via VoiceGate dictation)" })
        #expect(granted.allSatisfy { $0.text("executable") == tool && $0.text("evidence") == "script" })
        #expect(granted.allSatisfy { ($0.fields["responsibleProcess"] as? Int ?? 0) > 1 })
    }

    @Test("code in a command line can only be granted once")
    func inlineCode() async throws {
        let words = ["/usr/bin/python3", "-c", Self.runs]
        let (status, output) = try await run(words, ["dictate", "--stop-after-silence", "1"])
        #expect(status == 77, "\(output)")
        let records = try await service.records()
        #expect(!records.contains { $0.kind == "decision.granted" || $0.kind == "session.started" })
        #expect(records.contains { $0.text("evidence") == "interpreter" })
    }

    @Test("the command line's own permission is not its caller's, nor the caller's the command line's")
    func apart() async throws {
        #expect(try await run([], ["request"]).status == 0)
        let tool = try write("other.py")
        let (status, output) = try await run(["/usr/bin/python3", tool], ["dictate"])
        #expect(status == 77, "\(output)")
        #expect(try await run([], ["dictate", "--stop-after-silence", "1"]).status == 0)
    }

    @Test("a client that runs it uses its own permission; a program without a manifest in between does not pass it on")
    func registered() async throws {
        let script = try service.registerScript(Self.runs, name: "runner")
        #expect(try await client(["/usr/bin/python3", script]) == "org.example.runner")
        for resource in ["speechRecognition", "microphone"] {
            #expect(try await run([], ["settings", "org.example.runner", "--allow", resource]).status == 0)
        }
        let (status, output) = try await run(["/usr/bin/python3", script], ["dictate", "--stop-after-silence", "1"])
        #expect(status == 0, "\(output)")
        let tool = try write("child.py")
        let words = ["/usr/bin/python3", script, "/usr/bin/python3", tool]
        #expect(try await client(words) == Self.identifier("child.py"))
        #expect(try await run(words, ["dictate", "--stop-after-silence", "1"]).status == 77)
        let started = try await service.records().filter { $0.kind == "session.started" }
        #expect(started.map { $0.text("client") } == ["org.example.runner"])
    }

    @Test("a program that runs the command line cannot change settings, not even a client its own")
    func settings() async throws {
        let script = try service.registerScript(Self.runs, name: "runner")
        let tool = try write("other.py")
        for path in [script, tool] {
            for command in [
                ["settings", "org.example.runner", "--allow", "microphone"],
                ["settings", "org.example.runner", "--deny", "microphone"],
                ["reset", "--client", "org.example.runner"], ["reset", "--all"],
            ] {
                let (status, output) = try await run(["/usr/bin/python3", path], command)
                #expect(status == 77, "\(command): \(output)")
                #expect(output.contains("Run it yourself at a terminal"), "\(output)")
            }
        }
        #expect(try await service.records().map(\.kind) == ["log.genesis", "key.rotated"])
    }

    @Test("a program that runs the command line reads no settings, neither once nor as they change")
    func settingsOfOthers() async throws {
        let script = try service.registerScript(Self.runs, name: "runner")
        _ = try service.registerScript("pass", name: "other")
        for command in [["settings", "--json"], ["settings", "org.example.other"], ["settings"]] {
            let (status, output) = try await run(["/usr/bin/python3", script], command)
            #expect(status == 77, "\(command): \(output)")
            #expect(output.contains("Run it yourself at a terminal"), "\(output)")
            #expect(!output.contains("org.example.other"), "\(output)")
        }
        let own = try await run([], ["settings", "--json"])
        #expect(own.status == 0 && own.all.contains("org.example.other"), "\(own.all)")
    }

    @Test("a program that runs the command line reads the records about itself alone, and exports none")
    func records() async throws {
        let script = try service.registerScript(Self.runs, name: "runner")
        let tool = try write("other.py")
        #expect(try await run([], ["settings", "org.example.runner", "--allow", "microphone"]).status == 0)
        #expect(try await run([], ["request"]).status == 0)
        let own = try await run(["/usr/bin/python3", script], ["audit", "records", "--json"])
        #expect(own.status == 0, "\(own.all)")
        #expect(own.all.contains(#""client":"org.example.runner""#))
        #expect(!own.all.contains("io.voicegate.cli") && !own.all.contains("log.genesis"), "\(own.all)")
        for (path, command) in [
            (script, ["audit", "records", "--client", "io.voicegate.cli"]),
            (script, ["audit", "export", "--format", "csv"]),
            (tool, ["audit", "records"]), (tool, ["audit", "export", "--format", "csv"]),
            (tool, ["audit", "records", "--client", Self.identifier("other.py")]),
        ] {
            let (status, output) = try await run(["/usr/bin/python3", path], command)
            #expect(status == 77, "\(command): \(output)")
            #expect(!output.contains("log.genesis") && !output.contains("decision.granted"), "\(output)")
        }
        #expect(try await !service.records().contains { $0.kind == "export.made" || $0.kind == "request.received" })
        // A command that a person types into a shell is theirs, into a pipe as well.
        let piped = try await run(["/bin/bash", "-c", #"("$0" "$@" | cat)"#], ["audit", "records", "--json"])
        #expect(piped.status == 0 && piped.all.contains("log.genesis"), "\(piped.all)")
    }

    /// A command line at a shell, whose session it is.
    private static func typed(_ line: String) -> [String] { ["/bin/bash", "-c", line + "; exit $?"] }

    @Test(
        "a command typed behind xargs, timeout, time, find, env, nice or sh -c is the person's, but changes no settings"
    )
    func wrappers() async throws {
        for line in [
            #"echo --json | xargs "$0" "$@""#, #"timeout 60 "$0" "$@""#, #"/usr/bin/time -o /dev/null "$0" "$@""#,
            #"find /etc/passwd -exec "$0" "$@" ';'"#, #"env LANG=C nice "$0" "$@""#,
            #"timeout 60 sh -c '"$0" "$@"; exit $?' "$0" "$@""#,
        ] {
            #expect(try await client(Self.typed(line)) == "io.voicegate.cli", "\(line)")
        }
        #expect(try await run([], ["request", "speechRecognition"]).status == 0)
        let all = [
            "echo '\(Programs.librivox("0930"))' | xargs -n1 \(Programs.commandLine) transcribe --socket \(service.socket)"
        ]
        let (status, output) = try await run(Self.typed(all[0]), [])
        #expect(status == 0 && output.contains("might even have been"), "\(output)")
        let (refused, words) = try await run(
            Self.typed(#"echo speechRecognition | xargs "$0" "$@""#), ["reset", "--all"])
        // xargs reports a command's failure by 123.
        #expect(refused == 123 && words.contains("Run it yourself at a terminal"), "\(words)")
    }

    @Test(
        "a wrapper passes on no permission: the program that runs it is the client, and make, a copy and a leader are themselves"
    )
    func wrappersOfPrograms() async throws {
        let script = try service.registerScript(Self.runs, name: "runner")
        let tool = try write("tool.py")
        let python = "/usr/bin/python3"
        #expect(try await client([python, script, "/usr/bin/timeout", "60"]) == "org.example.runner")
        #expect(
            try await client([python, script, "/usr/bin/timeout", "60", python, tool]) == Self.identifier("tool.py"))
        #expect(
            try await client([python, tool, "/bin/sh", "-c", #""$0" "$@"; exit $?"#]) == Self.identifier("tool.py"))
        #expect(
            try await client(["/usr/bin/timeout", "60"]) == UnregisteredProgram.identifier(ofFile: "/usr/bin/timeout"))
        let copy = service.folder.path + "/timeout"
        try FileManager.default.copyItem(atPath: "/usr/bin/timeout", toPath: copy)
        #expect(
            try await client(Self.typed(#"\#(copy) 60 "$0" "$@""#))
                == UnregisteredProgram.identifier(ofFile: "/usr/bin/timeout"))
        let makefile = try service.folder.write(
            "all:\n\t@\(Programs.commandLine) status --json --socket \(service.socket)\n", to: "Makefile")
        let (_, made) = try await run(Self.typed("make -s -f \(makefile)"), [])
        #expect(made.contains(#""name":"make (via"#), "\(made)")
    }

    @Test("a program that calls itself a shell is a program")
    func falseShell() async throws {
        let copy = service.folder.path + "/bash"
        let copying = try RunningProgram(["/bin/cp", "/usr/bin/perl", copy], environment: service.environment)
        #expect(await copying.end() == 0)
        // No arguments, and its input is a terminal: all that a shell at which a person types has.
        let shell = try RunningProgram(
            ["/usr/bin/script", "-qefc", "\(copy); true", "/dev/null"], environment: service.environment)
        try shell.type("system(qw(\(Programs.commandLine) status --json --socket \(service.socket)));\n\u{4}")
        try await shell.shows(#""name":"bash (via"#)
        #expect(shell.count(of: #""client":"io.voicegate.cli""#) == 0)
        shell.signal(SIGKILL)
    }

    /// Ends, and a child of it becomes the program that its arguments name.
    private static let orphaned = """
        import os, sys
        parent = os.getpid()
        if os.fork(): os._exit(0)
        while os.getppid() == parent: os.sched_yield()
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test(
        "in another process namespace the first process is responsible for nothing, because orphans become its children",
        .enabled(if: geteuid() == 0, "needs root"))
    func namespace() async throws {
        let tool = try service.folder.write(Self.orphaned, to: "orphan.py")
        let script = try service.registerScript(Self.runs, name: "runner")
        func client(_ line: String) async throws -> String {
            try await self.client(["/usr/bin/unshare", "--pid", "--fork", "/usr/bin/setsid", "/bin/sh", "-c", line])
        }
        // The shell is the first process and its session's leader.
        for (command, answer) in [
            ("status --json", #""client":"unregistered.unknown-program""#),
            ("settings", "is not known, and only you may"),
        ] {
            let line = "python3 \(tool) \(Programs.commandLine) \(command) --socket \(service.socket) 2>&1; read line"
            let orphan = try RunningProgram(
                ["/usr/bin/unshare", "--pid", "--fork", "/usr/bin/setsid", "/bin/sh", "-c", line],
                environment: service.environment)
            try await orphan.shows(answer)
            try orphan.closeInput()
            await orphan.end()
        }
        #expect(try await client(#""$0" "$@"; exit $?"#) == "unregistered.unknown-program")
        #expect(try await client(#"exec /usr/bin/python3 \#(script) "$0" "$@""#) == "unregistered.unknown-program")
        // The command line itself, its own session, and a program below.
        #expect(try await client(#"exec "$0" "$@""#) == "io.voicegate.cli")
        #expect(try await client(#"setsid -w "$0" "$@"; exit $?"#) == "io.voicegate.cli")
        #expect(try await client(#"/usr/bin/python3 \#(script) "$0" "$@"; exit $?"#) == "org.example.runner")
    }

    @Test("when the program that started it has ended, there is no client")
    func orphan() async throws {
        let tool = try service.folder.write(Self.orphaned, to: "orphan.py")
        let words = ["/bin/sh", "-c", "/usr/bin/python3 \(tool) \"$0\" \"$@\"; read line"]
        let program = try RunningProgram(
            words + [Programs.commandLine, "status", "--json", "--socket", service.socket],
            environment: service.environment)
        try await program.shows(#""client":"unregistered.unknown-program""#)
        try program.closeInput()
        await program.end()
    }
}
