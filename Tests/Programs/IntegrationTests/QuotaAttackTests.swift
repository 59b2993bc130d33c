import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("One user or one program cannot take what the others need", .timeLimit(.minutes(3)))
struct QuotaAttackTests {
    /// With so few descriptors a service has less than 80 connections, of which one user of several gets a third. Each processor
    /// has sessions, which need some too.
    private static let fewDescriptors = [
        "/usr/bin/prlimit", "--nofile=\(896 + 64 * ProcessInfo.processInfo.activeProcessorCount)",
    ]

    /// Starts `voicegate` in their own sessions, as a person's terminal does, each with ten connections that it had
    /// before. They wait for the answer of a socket that never gives one.
    ///
    /// Says `connected` when all have tried, and `answered` when each connection was served, refused or closed.
    private static let attack = """
        import os, socket, sys, tempfile, time
        path, command, processes = sys.argv[1], sys.argv[2], int(sys.argv[3])
        folder = tempfile.mkdtemp()
        silent = socket.socket(socket.AF_UNIX)
        silent.bind(folder + "/silent"); silent.listen(128)
        children, connections = [], []
        for _ in range(processes):
            ours, its = socket.socketpair()
            child = os.fork()
            if child == 0:
                os.setsid()
                for _ in range(10):
                    s = socket.socket(socket.AF_UNIX); s.set_inheritable(True); s.connect(path)
                    s.sendall(b"GET /v1/indicator/changes HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n")
                    connections.append(s)
                socket.send_fds(its, [b"-"], [s.fileno() for s in connections])
                os.execv(command, [command, "status", "--socket", folder + "/silent"])
            its.close()
            children.append((child, ours))
        copies = []
        for child, ours in children:
            copies += [socket.socket(fileno=f) for f in socket.recv_fds(ours, 1, 10)[1]]
            while os.readlink("/proc/%d/exe" % child) != command: time.sleep(0.01)
        print("connected", flush=True)
        for copy in copies:
            try: copy.recv(1, socket.MSG_PEEK)
            except ConnectionResetError: pass
            copy.close()
        print("answered", flush=True)
        sys.stdin.readline()
        for child, _ in children: os.kill(child, 9)
        for child, _ in children: os.waitpid(child, 0)
        os.unlink(folder + "/silent"); os.rmdir(folder)
        print("gone", flush=True)
        sys.stdin.readline()
        """

    /// Children that make one request and then sleep without a connection.
    private static let sleepers = """
        import os, socket, sys
        for _ in range(int(sys.argv[2])):
            reading, writing = os.pipe()
            if os.fork() == 0:
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
                s.sendall(b"GET /v1/health HTTP/1.1\\r\\nHost: v\\r\\nConnection: close\\r\\n\\r\\n")
                while s.recv(4096): pass
                s.close(); os.close(writing); os.close(reading)
                sys.stdin.read(); os._exit(0)
            os.close(writing); os.read(reading, 1); os.close(reading)
        print("asleep", flush=True)
        sys.stdin.read()
        """

    private static func asUser(_ user: Int) -> [String] {
        ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
    }

    private func descriptors(_ service: ServiceUnderTest) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.program.processIdentifier)/fd").count
    }

    private func command(
        _ service: ServiceUnderTest, _ arguments: [String], as user: Int
    ) async throws -> (status: Int32, text: String) {
        let program = try RunningProgram(
            Self.asUser(user) + [Programs.commandLine] + arguments + ["--socket", service.socket],
            environment: service.environment)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines.joined(separator: "\n") + program.errorText)
    }

    /// Opens the service's socket to the other users of the machine.
    private func open(_ service: ServiceUnderTest) {
        for path in ["", "/run", "/run/voicegate"] { chmod(service.folder.path + path, 0o755) }
        chmod(service.socket, 0o666)
    }

    private func refusals(_ service: ServiceUnderTest) -> [Substring] {
        service.program.errorText.split(separator: "\n").filter { $0.contains("connections are refused") }
    }

    /// Processes with nine connections each, which report the answer to each.
    private static let followers = """
        import os, socket, sys
        connections = []
        for _ in range(5):
            if os.fork() == 0:
                for _ in range(9):
                    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); connections.append(s)
                    s.sendall(b"GET /v1/indicator/changes HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n")
                    answer = s.recv(65536)
                    if b" 503 " in answer: answer += s.recv(65536)
                    os.write(1, (answer.decode().replace("\\r\\n", " ").strip() + "\\n").encode())
                sys.stdin.read(); os._exit(0)
        sys.stdin.read()
        """

    @Test("programs of a user leave connections to the user's own commands, and are told what happened")
    func programs() async throws {
        let service = try await ServiceUnderTest(within: Self.fewDescriptors)
        let before = try descriptors(service)
        let followers = try RunningProgram(
            ["/usr/bin/python3", "-c", Self.followers, service.socket], environment: service.environment)
        try await followers.lines(45) { $0.hasPrefix("HTTP/1.1 ") }
        let served = followers.lines.count { $0.hasPrefix("HTTP/1.1 200 ") }
        // Three eighths of all.
        #expect((20...30).contains(served))
        let refused = followers.lines.filter { $0.hasPrefix("HTTP/1.1 503 ") }
        #expect(refused.count == 45 - served)
        #expect(refused.allSatisfy { $0.contains("All \(served) connections to the service for programs are taken.") })
        let list = try await service.run(["monitor", "list"])
        #expect(list.status == 0, "\(list)")
        #expect(refusals(service).count == 1, "\(refusals(service))")
        try followers.closeInput()
        await followers.end()
        try await eventually { try descriptors(service) <= before + 8 }
    }

    @Test("processes that connected once and go on without a connection hold no descriptors of the service")
    func sleepers() async throws {
        let service = try await ServiceUnderTest(within: Self.fewDescriptors)
        let before = try descriptors(service)
        let sleepers = try RunningProgram(
            ["/usr/bin/python3", "-c", Self.sleepers, service.socket, "600"], environment: service.environment)
        try await sleepers.line { $0 == "asleep" }
        try await eventually { try descriptors(service) <= before + 8 }
        let mute = try await service.run(["mute"])
        #expect(mute.status == 0, "\(mute.errors)")
        #expect(refusals(service).isEmpty)
    }

    @Test(
        "commands of one user, run by hundreds, leave the others everything, and that user only what revokes",
        .enabled(
            if: getuid() == 0 && Programs.areForEveryone, "needs root, and programs in a folder that others may enter"))
    func otherUsers() async throws {
        let service = try await ServiceUnderTest(options: ["--mode", "enforced"], within: Self.fewDescriptors)
        open(service)
        let before = try descriptors(service)
        // It accepts them when all run the command line, so that it finds that.
        service.program.signal(SIGSTOP)
        let attack = try RunningProgram(
            Self.asUser(65_534)
                + ["/usr/bin/python3", "-c", Self.attack, service.socket, Programs.commandLine, "12"],
            environment: service.environment)
        try await attack.line { $0 == "connected" }
        service.program.signal(SIGCONT)
        try await attack.line { $0 == "answered" }

        let status = try await command(service, ["status"], as: 65_533)
        #expect(status.status == 0, "\(status.text)")
        let deny = ["settings", "io.voicegate.cli", "--deny", "microphone"]
        let denied = try await command(service, deny, as: 65_533)
        #expect(denied.status == 0, "\(denied.text)")
        #expect(denied.text.contains("denied"))
        let backup = try await command(service, ["audit", "backup", service.folder.path + "/backup"], as: 65_533)
        #expect(backup.status == 77, "\(backup.text)")
        #expect(backup.text.contains("only root can back it up"), "\(backup.text)")

        let refused = try await command(service, ["status"], as: 65_534)
        #expect(refused.status == 75, "\(refused.text)")
        #expect(refused.text.contains(/Your programs have 2[0-9] connections to the service/), "\(refused.text)")
        #expect(refused.text.contains("End some of them, then try again."), "\(refused.text)")
        let own = try await command(service, deny, as: 65_534)
        #expect(own.status == 0, "\(own.text)")
        let mute = try await command(service, ["mute"], as: 65_534)
        #expect(mute.status == 0, "\(mute.text)")
        // A user mutes their own programs only.
        let other = try await command(service, ["status", "--json"], as: 65_533)
        #expect(other.text.contains(#""muted":false"#) && !other.text.contains("mutedBy"), "\(other.text)")
        let everyone = try await command(service, ["mute", "--everyone"], as: 65_534)
        #expect(everyone.status == 77 && everyone.text.contains("Only root"), "\(everyone.text)")
        #expect(refusals(service).count == 1, "\(refusals(service))")
        #expect(refusals(service).first?.contains("user=65534") == true)

        try attack.type("\n")
        try await attack.line { $0 == "gone" }
        try await eventually { try descriptors(service) <= before + 8 }
        let again = try await command(service, ["status"], as: 65_534)
        #expect(again.status == 0, "\(again.text)")
    }

    @Test(
        "where all connections are taken by commands of the user, the user can still revoke, and sees what happened"
    )
    func sameUser() async throws {
        let service = try await ServiceUnderTest(within: Self.fewDescriptors)
        let before = try descriptors(service)
        service.program.signal(SIGSTOP)
        let attack = try RunningProgram(
            ["/usr/bin/python3", "-c", Self.attack, service.socket, Programs.commandLine, "9"],
            environment: service.environment)
        try await attack.line { $0 == "connected" }
        service.program.signal(SIGCONT)
        try await attack.line { $0 == "answered" }

        let refused = try await service.run(["monitor", "list"])
        #expect(refused.status == 75, "\(refused)")
        #expect(refused.errors.contains("connections to the service are taken."), "\(refused.errors)")
        let denied = try await service.run(["settings", "io.voicegate.cli", "--deny", "microphone"])
        #expect(denied.status == 0, "\(denied)")
        let reset = try await service.run(["reset", "microphone", "--client", "org.example.curl"])
        #expect(reset.status == 0, "\(reset)")
        let mute = try await service.run(["mute"])
        #expect(mute.status == 0, "\(mute)")
        #expect(refusals(service).count == 1, "\(refusals(service))")

        try attack.type("\n")
        try await attack.line { $0 == "gone" }
        try await eventually { try descriptors(service) <= before + 8 }
        let list = try await service.run(["monitor", "list"])
        #expect(list.status == 0, "\(list)")
    }
}
