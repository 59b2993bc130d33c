import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The command line starts the service", .timeLimit(.minutes(3)))
struct ServiceStartTests {
    let own: OwnService

    init() throws { own = try OwnService() }

    private var folder: TemporaryFolder { own.folder }
    private var environment: [String: String] { own.environment }

    private func status(_ options: [String] = [], adding variables: [String: String] = [:]) throws -> RunningProgram {
        try RunningProgram(
            [Programs.commandLine, "status"] + options, environment: environment.merging(variables) { _, new in new })
    }

    @Test("a first command starts it, a second one uses the same")
    func starts() async throws {
        try await own.ending {
            let first = try status()
            #expect(await first.end() == 0, "\(first.errorText)")
            #expect(first.lines.contains("Nothing listens now."))
            #expect(first.errorText.contains("Starting the VoiceGate service."))
            let process = try #require(try await own.process())
            #expect(OwnService.program(of: process) == Programs.service)
            #expect(FileManager.default.fileExists(atPath: own.log))
            let second = try status()
            #expect(await second.end() == 0, "\(second.errorText)")
            #expect(second.errorText.isEmpty)
            #expect(try await own.process() == process)
        }
    }

    @Test("two commands at once start one")
    func together() async throws {
        try await own.ending {
            let commands = try (0..<2).map { _ in try status() }
            for command in commands { #expect(await command.end() == 0, "\(command.errorText)") }
            let process = try #require(try await own.process())
            #expect(own.processes == [process])
        }
    }

    @Test("it has its own session, no terminal, and its output goes to the log")
    func detached() async throws {
        try await own.ending {
            let command = try RunningProgram(
                ["/usr/bin/script", "-qefc", "exec '\(Programs.commandLine)' status", "/dev/null"],
                environment: environment)
            #expect(await command.end() == 0, "\(command.lines)")
            // The terminal is gone by now.
            let process = try #require(try await own.process())
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            #expect(fields[4] == "\(process)", "the session")
            #expect(fields[5] == "0", "the terminal")
            let files = (0...2).map {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            #expect(files == ["/dev/null", own.log, own.log])
        }
    }

    @Test("it gets the user's settings, and nothing else of the first caller's environment and folder")
    func environmentOfItsOwn() async throws {
        try await own.ending {
            let command = try status(adding: [
                "SECRET_TOKEN": "abc", "LC_TIME": "C.UTF-8", "XDG_DATA_HOME": folder.path,
            ])
            #expect(await command.end() == 0, "\(command.errorText)")
            let process = try #require(try await own.process())
            let variables = try Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
                .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            #expect(variables.contains("LC_TIME=C.UTF-8"))
            #expect(variables.contains("XDG_DATA_HOME=\(folder.path)"))
            #expect(variables.contains("HOME=\(folder.path)"))
            #expect(!variables.contains { $0.hasPrefix("SECRET_TOKEN") || $0.hasPrefix("TERM=") })
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
        }
    }

    @Test("one that cannot start gives its exit code to the command, with the reason")
    func broken() async throws {
        try folder.write("modle: x\n", to: "config/voicegate/config.yaml")
        let command = try status(adding: [:])
        #expect(await command.end() == 78)
        #expect(command.errorText.contains("Did you mean “model”?"), "\(command.errorText)")
        #expect(own.processes.isEmpty)
    }

    @Test("VOICEGATE_NO_START keeps it from starting, and the message says how to")
    func notStarted() async throws {
        let command = try status(adding: ["VOICEGATE_NO_START": "1"])
        #expect(await command.end() == 69)
        #expect(command.lines.isEmpty)
        #expect(command.errorText.contains("Start it: voicegate service start"), "\(command.errorText)")
        #expect(own.processes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: own.log))
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
        #expect(own.processes.isEmpty)
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
