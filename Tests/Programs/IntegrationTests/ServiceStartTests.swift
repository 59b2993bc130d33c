import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The command line starts the service", .timeLimit(.minutes(3)))
struct ServiceStartTests {
    let folder: TemporaryFolder
    let environment: [String: String]
    var socket: String { folder.path + "/run/voicegate/voicegate.sock" }
    var log: String { folder.path + "/state/voicegate/voicegated.log" }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["/run", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + name, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "XDG_RUNTIME_DIR": folder.path + "/run",
            "XDG_STATE_HOME": folder.path + "/state", "XDG_CONFIG_HOME": folder.path + "/config",
        ]
    }

    /// The process of the service, by its own word; `nil` where none answers.
    private func servingProcess() async throws -> Int32? {
        let health = try RunningProgram(
            [Programs.curl, "-s", "--unix-socket", socket, "http://voicegate/v1/health"], environment: environment)
        await health.end()
        let reply = try? JSONSerialization.jsonObject(with: Data(health.lines.joined().utf8)) as? [String: Any]
        return (reply?["processIdentifier"] as? Int).map(Int32.init)
    }

    /// Ends the service that the test started, also when the test fails.
    private func endingService(_ test: () async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await test()) } catch { result = .failure(error) }
        if let process = try await servingProcess() {
            kill(process, SIGTERM)
            try await eventually { Self.program(of: process) == nil }
        }
        try result.get()
    }

    /// `nil` for a process that ended, even when nobody has asked for its status yet.
    private static func program(of process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    /// The services that were told to use this test's socket.
    private var services: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return Self.program(of: process) == Programs.service
                && String(decoding: words, as: UTF8.self).contains(socket)
        }
    }

    private func status(_ options: [String] = [], adding variables: [String: String] = [:]) throws -> RunningProgram {
        try RunningProgram(
            [Programs.commandLine, "status"] + options, environment: environment.merging(variables) { _, new in new })
    }

    @Test("a first command starts it, a second one uses the same")
    func starts() async throws {
        try await endingService {
            let first = try status()
            #expect(await first.end() == 0, "\(first.errorText)")
            #expect(first.lines.contains("Nothing listens now."))
            #expect(first.errorText.contains("Starting the VoiceGate service."))
            let process = try #require(try await servingProcess())
            #expect(Self.program(of: process) == Programs.service)
            #expect(FileManager.default.fileExists(atPath: log))
            let second = try status()
            #expect(await second.end() == 0, "\(second.errorText)")
            #expect(second.errorText.isEmpty)
            #expect(try await servingProcess() == process)
        }
    }

    @Test("two commands at once start one")
    func together() async throws {
        try await endingService {
            let commands = try (0..<2).map { _ in try status() }
            for command in commands { #expect(await command.end() == 0, "\(command.errorText)") }
            let process = try #require(try await servingProcess())
            #expect(services == [process])
        }
    }

    @Test("it has its own session, no terminal, and its output goes to the log")
    func detached() async throws {
        try await endingService {
            let command = try RunningProgram(
                ["/usr/bin/script", "-qefc", "exec '\(Programs.commandLine)' status", "/dev/null"],
                environment: environment)
            #expect(await command.end() == 0, "\(command.lines)")
            // The terminal is gone by now.
            let process = try #require(try await servingProcess())
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            #expect(fields[4] == "\(process)", "the session")
            #expect(fields[5] == "0", "the terminal")
            let files = (0...2).map {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            #expect(files == ["/dev/null", log, log])
        }
    }

    @Test("VOICEGATE_NO_START keeps it from starting, and the message says how to")
    func notStarted() async throws {
        let command = try status(adding: ["VOICEGATE_NO_START": "1"])
        #expect(await command.end() == 69)
        #expect(command.lines.isEmpty)
        #expect(command.errorText.contains("Start it with: voicegated"), "\(command.errorText)")
        #expect(services.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: log))
    }

    /// Listens, and after a line of input says whether anybody came.
    private static let squatter = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); s.setblocking(False)
        print("listening", flush=True)
        sys.stdin.readline()
        try:
            connection, _ = s.accept()
            print("heard", len(connection.recv(4096)))
        except BlockingIOError:
            print("nobody")
        """

    /// - Parameter prefix: what the squatter is run with.
    private func expectUntrusted(mode: mode_t, _ reason: String, prefix: [String] = []) async throws {
        let open = folder.path + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
        chmod(folder.path, 0o755)
        chmod(open, mode)
        let path = open + "/voicegate.sock"
        let squatter = try RunningProgram(
            prefix + ["/usr/bin/python3", "-c", Self.squatter, path], environment: environment)
        try await squatter.line { $0 == "listening" }
        let command = try status(["--socket", path])
        #expect(await command.end() == 77)
        #expect(command.lines.isEmpty)
        #expect(command.errorText.contains(reason), "\(command.errorText)")
        try squatter.type("\n")
        await squatter.end()
        #expect(squatter.lines == ["listening", "nobody"])
        #expect(services.isEmpty)
    }

    @Test("a socket in a folder where everybody may write is not trusted")
    func openFolder() async throws { try await expectUntrusted(mode: 0o777, "others can write") }

    @Test("another user's socket is not trusted", .enabled(if: getuid() == 0, "needs root to become another user"))
    func otherUser() async throws {
        try await expectUntrusted(
            mode: 0o1777, "belongs to another user",
            prefix: ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
    }
}
