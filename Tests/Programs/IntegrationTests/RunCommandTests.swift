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
}
