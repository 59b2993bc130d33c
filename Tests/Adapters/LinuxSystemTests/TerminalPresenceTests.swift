import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Presence at a terminal", .timeLimit(.minutes(1)))
struct TerminalPresenceTests {
    /// Without logind, whatever this machine has.
    private let inspector = PresenceInspector(logins: LoginBook())

    private func presence(_ process: Int32) throws -> Presence {
        let identity = ProcessIdentity(processIdentifier: process, startTime: try ProcessStatus(of: process).startTime)
        return inspector.presence(of: identity, user: geteuid())
    }

    @Test("a job is in the foreground until Ctrl-Z, not as a background job, and again after fg")
    func jobControl() async throws {
        let bash = try ShellAtTerminal()
        bash.type("sleep 1000")
        let job = try await bash.process(running: "sleep")
        try await bash.until { try presence(job) == .foreground }
        #expect(try presence(bash.shell.processIdentifier) == .background)
        bash.terminal.type("\u{1A}")
        try await bash.until { try ProcessStatus(of: job).state == "T" }
        #expect(try presence(job) == .background)
        bash.type("bg")
        try await bash.until { try ProcessStatus(of: job).runs }
        #expect(try presence(job) == .background)
        try await bash.until { try presence(bash.shell.processIdentifier) == .foreground }
        #expect(try presence(job) == .background)
        bash.type("fg")
        try await bash.until { try presence(job) == .foreground }
    }

    @Test(
        "a job behind & is in the background although its shell waits at the prompt, also in a shell in a shell",
        arguments: [
            ["sleep 1000 &"], ["bash --norc --noediting -i", "sleep 1000 &"], ["sh -i", "sleep 1000 &"],
            ["(sleep 1000; true) &"], ["sleep 1000 | cat &"],
        ])
    func behindAnAmpersand(_ lines: [String]) async throws {
        let bash = try ShellAtTerminal()
        for line in lines { bash.type(line) }
        let job = try await bash.process(running: "sleep")
        // The shell has its terminal back, and is in the foreground with it.
        try await bash.until {
            let status = try ProcessStatus(of: job)
            return status.foregroundGroup != status.processGroup && status.foregroundGroup > 0
        }
        bash.type("echo at-$((20 + 22))")
        #expect(bash.terminal.read(until: "at-42").contains("at-42"))
        #expect(try presence(job) == .background)
    }

    @Test("all processes of a pipeline and their children are in the foreground")
    func pipe() async throws {
        let bash = try ShellAtTerminal()
        bash.type("sh -c 'sleep 1000; true' | cat")
        for program in ["sleep", "cat"] {
            let job = try await bash.process(running: program)
            try await bash.until { try presence(job) == .foreground }
        }
    }

    @Test("a job's child in its own group is in the foreground as long as the job is")
    func jobsChild() async throws {
        let bash = try ShellAtTerminal()
        bash.type("perl -e 'if (fork) { wait } else { setpgrp(0, 0); system(\"sleep\", \"1000\") }'")
        let child = try await bash.process(running: "sleep")
        try await bash.until { try presence(child) == .foreground }
        #expect(try !ProcessStatus(of: child).isForegroundJobOfTerminal)
        // The kernel stops the job, and not the child; the shell comes to the foreground.
        bash.terminal.type("\u{1A}")
        try await bash.until { try presence(child) == .background }
        #expect(try ProcessStatus(of: child).runs)
        bash.type("fg")
        try await bash.until { try presence(child) == .foreground }
    }

    @Test("a detached process is in the background, and so is one whose parents have ended")
    func detached() async throws {
        let bash = try ShellAtTerminal()
        bash.type("setsid --fork sleep 1000; setsid --wait tail -f /dev/null")
        let detached = try await bash.process(running: "tail")
        #expect(try ProcessStatus(of: detached).terminal == 0)
        #expect(try presence(detached) == .background)
        // A separate group, the terminal kept, and the parent gone: the chain to the job is broken.
        let orphan = try ShellAtTerminal()
        orphan.type("perl -e 'exit if fork; setpgrp(0, 0); print \"orphan=$$=\\n\"; sleep 1000'; cat")
        let shown = orphan.terminal.read(until: "=\r")
        let match = try #require(shown.firstMatch(of: /orphan=(\d+)=/))
        let process = try #require(Int32(match.1))
        defer { kill(process, SIGKILL) }
        // Its parent ends at some moment after the fork; until then the chain holds.
        try await orphan.until { try presence(process) == .background }
        #expect(try ProcessStatus(of: process).runs)
    }

    @Test("a reused or unused process identifier is in the background")
    func otherProcess() async throws {
        let bash = try ShellAtTerminal()
        bash.type("sleep 1000")
        let job = try await bash.process(running: "sleep")
        try await bash.until { try presence(job) == .foreground }
        let start = try ProcessStatus(of: job).startTime
        let earlier = ProcessIdentity(processIdentifier: job, startTime: start - 1)
        #expect(inspector.presence(of: earlier, user: geteuid()) == .background)
        let none = ProcessIdentity(processIdentifier: 1 << 23, startTime: start)
        #expect(inspector.presence(of: none, user: geteuid()) == .background)
    }

    @Test("a connected caller is in the foreground while its job is")
    func connected() async throws {
        let listener = try UnixListener()
        let bash = try ShellAtTerminal()
        bash.type(
            "perl -e 'use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])); sleep 1000' "
                + listener.path)
        let socket = listener.accept()
        defer { close(socket) }
        let caller = try await CallerInspector().inspect(socket: socket)
        try await bash.until { caller.presenceBlocking == .foreground }
        bash.terminal.type("\u{1A}")
        try await bash.until { caller.presenceBlocking == .background }
        bash.type("fg")
        try await bash.until { caller.presenceBlocking == .foreground }
        bash.terminal.type("\u{3}")
        try await bash.until { !caller.isAlive }
        #expect(caller.presenceBlocking == .background)
    }
}
