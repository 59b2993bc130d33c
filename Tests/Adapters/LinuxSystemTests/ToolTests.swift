import Glibc
@testable import LinuxSystem
import TestSupport
import Testing

@Suite("Tools of the system", .timeLimit(.minutes(1)))
struct ToolTests {
    private func shell(_ script: String, ending: Int32 = SIGTERM) async throws -> ToolRun {
        try await Tool(path: "/bin/sh", environment: ["GIVEN": "yes"], ending: ending).run(["-c", script])
    }

    @Test("output and status are the tool's")
    func run() async throws {
        #expect(try await shell("echo one; exit 3") == ToolRun(status: 3, output: "one\n"))
        #expect(try await shell("kill -9 $$").status == 137)
        #expect(try await shell("yes | head -c 1000000; exit 5").output.utf8.count == 65_536)
    }

    @Test("the tool gets no descriptor but the standard three, no input, and only the environment it was given")
    func surroundings() async throws {
        let folder = try TemporaryFolder()
        let open = open(folder.path, O_RDONLY)
        defer { close(open) }
        #expect(fcntl(open, F_GETFD) & FD_CLOEXEC == 0)
        // Without a pipeline: the shell has its pipes open for a moment.
        let count = "n=0; c=0; while [ $n -lt 1024 ]; do [ -L /proc/$$/fd/$n ] && c=$((c+1)); n=$((n+1)); done; echo $c"
        let run = try await shell("cat; echo $GIVEN $HOME; \(count)")
        #expect(run.output == "yes\n3\n")
    }

    @Test("an argument is never read by a shell")
    func arguments() async throws {
        let run = try await Tool(path: "/bin/echo", environment: [:]).run(["$(id)", "; id", "`id`"])
        #expect(run.output == "$(id) ; id `id`\n")
    }

    @Test("a missing tool is an error")
    func missing() async {
        #expect(await failure(ToolError.self) { try await Tool(path: "/nowhere/tool").run([]) }?.code == .missing)
    }

    @Test("cancelling sends the signal and waits for the end")
    func cancel() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path + "/started"
        #expect(mkfifo(fifo, 0o600) == 0)
        let task = Task {
            try await shell(
                "trap 'echo ended; exit 7' INT; echo x > '\(fifo)'; while :; do sleep 0.05; done", ending: SIGINT)
        }
        // Opens when the tool writes.
        let reader = await Task.detached { open(fifo, O_RDONLY) }.value
        task.cancel()
        #expect(try await task.value == ToolRun(status: 7, output: "ended\n"))
        close(reader)
    }

    @Test("a tool that was cancelled before it began never runs")
    func cancelledBefore() async throws {
        let folder = try TemporaryFolder()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shell("touch '\(folder.path)/ran'")
        }
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(access(folder.path + "/ran", F_OK) != 0)
    }
}
