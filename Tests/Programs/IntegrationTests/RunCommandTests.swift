import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate run", .timeLimit(.minutes(5)))
struct RunCommandTests {
    private func service() async throws -> ServiceUnderTest {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        return service
    }

    private let name = "voicegate-\(UUID().uuidString.prefix(8))"

    /// Every way out, and how curl takes it.
    private func waysOut() throws -> [(name: String, listener: AnsweringListener, arguments: [String])] {
        let tcp = try AnsweringListener(.tcp)
        let url = "http://voicegate/"
        var ways = [
            ("the host's network", tcp, ["http://127.0.0.1:\(tcp.port)/"]),
            ("an abstract socket", try AnsweringListener(.abstract(name)), ["--abstract-unix-socket", name, url]),
        ]
        for folder in ["/tmp", "/var/tmp", "/dev/shm", Programs.folder] + (geteuid() == 0 ? ["/run"] : []) {
            let path = "\(folder)/\(name)"
            ways.append(("a socket in \(folder)", try AnsweringListener(.file(path)), ["--unix-socket", path, url]))
        }
        return ways
    }

    @Test("with --no-network a client reaches no host, no abstract socket and no other program's, but VoiceGate")
    func noWayOut() async throws {
        let service = try await service()
        for way in try waysOut() {
            let open = try service.start(["curl", "-s"] + way.arguments, withoutNetwork: false)
            #expect(await open.end() == 0, "\(way.name)")
            #expect(open.lines == [AnsweringListener.answer], "\(way.name)")
            let closed = try service.start(["curl", "-s"] + way.arguments)
            // CURLE_COULDNT_CONNECT (libcurl-errors(3)).
            #expect(await closed.end() == 7, "\(way.name): \(closed.errorText)")
            #expect(closed.lines.isEmpty)
            #expect(way.listener.count == 1, "\(way.name)")
        }
        let asking = try service.start(["curl", "-s", "--unix-socket", service.socket, "http://v/v1/authorization"])
        #expect(await asking.end() == 0)
        #expect(asking.lines.joined().contains(#""client":"org.example.curl""#), "\(asking.lines)")
    }

    @Test("a client has the loopback device of its own network namespace, and it is up")
    func loopback() async throws {
        let service = try await service()
        // A port without a listener refuses at once; without a device the network would be unreachable.
        let program = try service.start(["curl", "-sS", "http://127.0.0.1:9/"])
        #expect(await program.end() == 7)
        #expect(program.errorText.contains("refused") || program.errorText.contains("Couldn't connect"))
        let device = try service.start(["curl", "-s", "file:///proc/self/net/dev"])
        await device.end()
        #expect(device.lines.count == 3 && device.lines[2].contains("lo:"), "\(device.lines)")
    }

    @Test("the files of /tmp are not visible, and nothing is left behind there")
    func emptyFolders() async throws {
        let service = try await service()
        let path = try service.folder.write("secret", to: "note")
        let reading = try service.start(["curl", "-s", "file://" + path])
        // CURLE_FILE_COULDNT_READ_FILE
        #expect(await reading.end() == 37)
        let before = try Set(FileManager.default.contentsOfDirectory(atPath: service.folder.path))
        let writing = try service.start(["curl", "-s", "file:///etc/hostname", "-o", "/tmp/\(name)"])
        #expect(await writing.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/\(name)"))
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: service.folder.path)) == before)
    }

    @Test("input, output, exit status and signals are the command's own", arguments: [true, false])
    func passesThrough(withoutNetwork: Bool) async throws {
        let service = try await service()
        // curl copies its input to its output when it is given as a file.
        let program = try service.start(["curl", "-s", "file:///dev/stdin"], withoutNetwork: withoutNetwork)
        try program.type("one\ntwo\n")
        try program.closeInput()
        #expect(await program.end() == 0)
        #expect(program.lines == ["one", "two"])
        let failing = try service.start(["curl", "--no-such-option"], withoutNetwork: withoutNetwork)
        #expect(await failing.end() == 2)
        #expect(failing.errorText.contains("no-such-option"))
        let waiting = try service.start(
            ["curl", "-sN", "--unix-socket", service.socket, "http://v/v1/authorization/changes"],
            withoutNetwork: withoutNetwork)
        try await waiting.line { $0.contains("state") || $0.contains("microphone") }
        waiting.signal(SIGTERM)
        #expect(await waiting.end() == 128 + SIGTERM)
    }

    @Test("descriptors above the standard three are not handed on", arguments: [true, false])
    func descriptors(withoutNetwork: Bool) async throws {
        let service = try await service()
        let run =
            [Programs.commandLine, "run", "--client", "org.example.curl", "--socket", service.socket]
            + (withoutNetwork ? ["--no-network"] : [])
        let program = try RunningProgram(
            [
                "/bin/bash", "-c", "cd /; exec 7</etc/passwd; exec \"$@\"", "bash",
            ] + run + ["--", "curl", "-s", "file:///proc/self/fd/7"], environment: service.environment)
        #expect(await program.end() == 37, "\(program.lines)")
        #expect(program.lines.isEmpty)
    }

    @Test("a program that is not the client's is not started as the client, and the error says why")
    func wrongClient() async throws {
        let service = try await service()
        let script = try service.registerScript("print('ran')", name: "one")
        try service.folder.write("no property list", to: "clients/org.example.broken/Info.plist")
        let cases: [(client: String, command: [String], status: Int32, says: String)] = [
            ("org.example.curl", ["ls"], 78, "describes the program /usr/bin/curl, but ls is"),
            ("org.example.nobody", ["curl", "--version"], 78, "No manifest of org.example.nobody is installed"),
            ("org.example.broken", ["ls"], 78, "Info.plist: The manifest is not a property list."),
            ("org.example.curl", ["no-such-program"], 66, "There is no program no-such-program"),
            ("org.example.one", ["/usr/bin/python3", "-c", "print('ran')"], 78, "describes the script \(script)"),
            ("org.example.one", ["/usr/bin/curl", "--version"], 78, "describes the script \(script)"),
            ("not an identifier", ["ls"], 64, "bundle identifier"),
        ]
        for (client, command, status, says) in cases {
            let program = try service.start(command, as: client, withoutNetwork: false)
            #expect(await program.end() == status, "\(command)")
            #expect(program.errorText.contains(says), "\(program.errorText)")
            #expect(program.lines.isEmpty, "\(command)")
        }
    }

    @Test("a script is a client by its interpreter on the command line and by its first line")
    func scripts() async throws {
        let service = try await service()
        let script = try service.registerScript("#!/usr/bin/env python3\nprint('ran')", name: "one")
        chmod(script, 0o755)
        for command in [["/usr/bin/python3", script], ["python3", "-u", script], [script]] {
            let program = try service.start(command, as: "org.example.one", withoutNetwork: false)
            #expect(await program.end() == 0, "\(program.errorText)")
            #expect(program.lines == ["ran"])
        }
    }

    @Test("where the kernel makes no namespaces, nothing is started, and the next step is said")
    func forbidden() async throws {
        // In its own user namespace, whose limit is not the machine's; one in another namespace would not know the command.
        let service = try await ServiceUnderTest(within: ["/usr/bin/unshare", "--user", "--map-root-user"])
        try service.registerCurl()
        let command =
            [Programs.commandLine, "run", "--client", "org.example.curl", "--socket", service.socket, "--no-network"]
            + ["--", "curl", "--version"]
        // No namespace may be made below this one, and there are no capabilities left to do without.
        let script = """
            echo 0 > /proc/sys/user/max_user_namespaces
            exec setpriv --bounding-set=-all --inh-caps=-all -- "$@"
            """
        let program = try RunningProgram(
            [
                "/usr/bin/nsenter", "--user", "--target", "\(service.program.processIdentifier)", "/bin/sh", "-c",
                script, "sh",
            ] + command,
            environment: service.environment)
        #expect(await program.end() == 69, "\(program.errorText)")
        #expect(program.errorText.contains("sysctl -w user.max_user_namespaces="), "\(program.errorText)")
        #expect(program.errorText.contains("Nothing was started"))
        #expect(program.lines.isEmpty)
    }

    @Test("a program that the covers would hide is not started, and neither is one from a folder that they would")
    func coveredProgram() async throws {
        let service = try await service()
        let script = try service.registerScript("#!/usr/bin/python3\nprint('ran')", name: "one")
        chmod(script, 0o755)
        let program = try service.start([script], as: "org.example.one")
        #expect(await program.end() == 66)
        #expect(program.errorText.contains("Move it elsewhere"), "\(program.errorText)")
        let command = [Programs.commandLine, "run", "--client", "org.example.curl", "--socket", service.socket]
        let folder = try TemporaryFolder()
        let elsewhere = try RunningProgram(
            ["/usr/bin/env", "-C", folder.path] + command + ["--no-network", "--", "curl", "--version"],
            environment: service.environment)
        #expect(await elsewhere.end() == 69)
        #expect(elsewhere.errorText.contains("Start it from another folder"), "\(elsewhere.errorText)")
        #expect(program.lines.isEmpty && elsewhere.lines.isEmpty)
    }
}
