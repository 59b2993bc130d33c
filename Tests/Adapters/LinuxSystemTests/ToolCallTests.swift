import Glibc
@testable import LinuxSystem
import TestSupport
import Testing

@Suite("Input and output of tools", .timeLimit(.minutes(1)))
struct ToolCallTests {
    private func shell(_ script: String, _ call: ToolCall) async throws -> ToolRun {
        try await Tool(path: "/bin/sh", environment: ["PATH": "/usr/bin:/bin"]).run(["-c", script], call)
    }

    @Test("input reaches the tool unchanged, also when input and output exceed a pipe's buffer")
    func input() async throws {
        #expect(
            try await shell("cat", ToolCall(input: Array("-n\n$(id)\n\u{1B}[m".utf8))).output == "-n\n$(id)\n\u{1B}[m")
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        #expect(try await shell("cat | wc -c", ToolCall(input: large)).output == "1000000\n")
        let run = try await shell("cat", ToolCall(input: large))
        #expect(run.output.utf8.count == 65_536)
        #expect(run.isCut)
    }

    @Test("a tool that does not read its input ends normally, and this program continues")
    func unread() async throws {
        let large = [UInt8](repeating: 0, count: 1_000_000)
        #expect(try await shell("exec <&-; echo done", ToolCall(input: large)) == ToolRun(status: 0, output: "done\n"))
    }

    @Test("a tool that exceeds its time limit is killed with its children")
    func overdue() async throws {
        let folder = try TemporaryFolder()
        var (limit, child) = (Duration.milliseconds(500), "")
        // On a busy machine the limit may be over before the child is there.
        while !child.hasSuffix("\n") {
            let run = try await shell("sleep 600 & echo $! > '\(folder.path)/child'; wait", ToolCall(limit: limit))
            #expect(run.isOverdue)
            #expect(run.status == 137)
            child = (try? String(contentsOfFile: folder.path + "/child", encoding: .utf8)) ?? ""
            limit *= 2
        }
        let identifier = try #require(Int32(child.dropLast()))
        // It may be a zombie that the system's first process has not reaped yet.
        while kill(identifier, 0) == 0, !ProcessState.isZombie(identifier) { await Task.yield() }
    }

    @Test("a tool that leaves a child behind has ended if its output is not kept")
    func child() async throws {
        let folder = try TemporaryFolder()
        let run = try await shell(
            "sleep 600 & echo $! > '\(folder.path)/child'", ToolCall(output: .discarded, complaints: .discarded))
        #expect(run == ToolRun(status: 0, output: ""))
        let child = try String(contentsOfFile: folder.path + "/child", encoding: .utf8)
        let identifier = try #require(Int32(child.dropLast()))
        // It holds the clipboard, say, and must go on.
        #expect(kill(identifier, 0) == 0)
        kill(identifier, SIGKILL)
    }

    @Test("standard error is kept if requested")
    func complaints() async throws {
        let run = try await shell("echo no >&2; exit 4", ToolCall(complaints: .kept))
        #expect(run == ToolRun(status: 4, output: "", complaint: "no\n"))
        #expect(try await shell("echo no >&2", ToolCall()).complaint.isEmpty)
    }
}
