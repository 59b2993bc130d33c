import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A service that cannot start says why", .timeLimit(.minutes(2)))
struct StartFailureTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func start(_ options: [String]) async throws -> (status: Int32, errors: String) {
        let defaults = [
            "--socket": folder.path + "/voicegate.sock", "--state-directory": folder.path + "/state",
            "--policy-directory": folder.path + "/policy.d",
        ]
        let given = Set(options)
        let program = try RunningProgram(
            [Programs.service] + defaults.filter { !given.contains($0.key) }.flatMap { [$0.key, $0.value] } + options,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"])
        let status = await program.end()
        return (status, program.errorText)
    }

    @Test("a socket path that is too long")
    func longPath() async throws {
        let path = folder.path + "/" + String(repeating: "a", count: 120)
        let (status, errors) = try await start(["--socket", path])
        #expect(status == 78)
        #expect(errors.contains("at most 107 bytes"))
    }

    @Test("a path where something else is, which stays")
    func notASocket() async throws {
        let path = try folder.write("precious", to: "voicegate.sock")
        let (status, errors) = try await start(["--socket", path])
        #expect(status == 78)
        #expect(errors.contains("not a socket"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test("a socket folder that others can write")
    func openFolder() async throws {
        let open = folder.path + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
        chmod(open, 0o777)
        let (status, errors) = try await start(["--socket", open + "/voicegate.sock"])
        #expect(status == 78)
        #expect(errors.contains("chmod go-w"))
    }

    @Test("a stale socket is replaced")
    func staleSocket() async throws {
        let first = try await ServiceUnderTest()
        first.program.signal(SIGKILL)
        await first.program.end()
        #expect(FileManager.default.fileExists(atPath: first.socket))
        let next = try await ServiceUnderTest(continuing: first)
        #expect(try await next.run(["status"]).status == 0)
    }

    @Test("a state directory that cannot be made")
    func stateDirectory() async throws {
        let file = try folder.write("", to: "file")
        let (status, errors) = try await start(["--state-directory", file + "/state"])
        #expect(status == 78)
        #expect(errors.contains(file))
    }

    @Test("a configuration with a key that is not known, or that is not YAML", arguments: ["devise: mic", "[", "- a"])
    func configuration(_ text: String) async throws {
        let path = try folder.write(text, to: "config.yaml")
        let (status, errors) = try await start(["--configuration", path])
        #expect(status == 78)
        #expect(errors.contains(path))
    }

    @Test("a script of answers that is not there or broken names its line")
    func script() async throws {
        #expect(try await start(["--agent", "script:\(folder.path)/none"]).status == 78)
        let path = try folder.write(
            #"{"client":"*","resource":"*","answer":"deny"}"# + "\n{\"client\":", to: "answers")
        let (status, errors) = try await start(["--agent", "script:\(path)"])
        #expect(status == 78)
        #expect(errors.contains("2"))
    }
}
