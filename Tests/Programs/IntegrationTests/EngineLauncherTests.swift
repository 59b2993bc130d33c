import CLinux
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A third-party engine is confined", .timeLimit(.minutes(1)))
struct EngineLauncherTests {
    static func lockedIn(_ command: [String], reading paths: [String]) -> [String] {
        [Programs.folder + "/voicegate-engine"] + paths.flatMap { ["--readable", $0] } + ["--"] + command
    }

    /// Tries the ways out and tells which of them are open.
    static let probe = """
        import os, signal, socket, sys
        def attempt(name, action):
            try:
                action()
                print(name, "open")
            except OSError as error:
                print(name, "closed")
        secret, parent = sys.argv[1], int(sys.argv[2])
        attempt("read", lambda: open(secret).read())
        attempt("write", lambda: open(os.path.dirname(secret) + "/new", "w"))
        attempt("shared memory", lambda: open("/dev/shm/voicegate-probe", "w"))
        attempt("internet", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        attempt("unix", lambda: socket.socket(socket.AF_UNIX))
        attempt("signal", lambda: os.kill(parent, 0))
        attempt("environment", lambda: open(f"/proc/{parent}/environ").read())
        attempt("own library", lambda: open("/usr/lib/os-release").read())
        attempt("throwing away", lambda: open("/dev/null", "w").write("x"))
        """

    @Test("it reads the system and the given paths, and cannot communicate")
    func waysOut() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("a letter", to: "secret")
        let command = Self.lockedIn(
            ["/usr/bin/python3", "-c", Self.probe, secret, "\(getpid())"], reading: [])
        let lines = try run(command)
        #expect(
            lines == [
                "read closed", "write closed", "shared memory closed", "internet closed", "unix closed",
                "signal closed", "environment closed", "own library open", "throwing away open",
            ])
        let given = try run(
            Self.lockedIn(
                ["/usr/bin/python3", "-c", Self.probe, secret, "\(getpid())"], reading: [secret]))
        #expect(given.first == "read open")
        #expect(Array(given.dropFirst()) == Array(lines.dropFirst()))
    }

    @Test("an engine's children end with it, and its exit status is passed on", arguments: ["exit 7", "exec false"])
    func childrenEnd(end: String) throws {
        let started = try start("/bin/sleep 1000 & (/bin/sleep 1000 &); echo started; \(end)")
        // The output ends when the last process that has it ended.
        #expect(started.output.readDataToEndOfFile() == Data("started\n".utf8))
        started.process.waitUntilExit()
        #expect(started.process.terminationStatus == (end == "exit 7" ? 7 : 1))
    }

    @Test("an engine's child processes end when the engine is asked to end")
    func childrenEndOnTermination() throws {
        let started = try start("/bin/sleep 1000 & (/bin/sleep 1000 &); echo started; exec /bin/sleep 1000")
        #expect(started.output.availableData == Data("started\n".utf8))
        kill(started.process.processIdentifier, SIGTERM)
        #expect(started.output.readDataToEndOfFile().isEmpty)
        started.process.waitUntilExit()
    }

    @Test(
        "an engine's child processes end when the process beside it is killed",
        .enabled(if: vg_sandbox_has_namespaces() == 1, "otherwise the service ends the group"))
    func childrenEndOnKill() throws {
        let started = try start("/bin/sleep 1000 & (/bin/sleep 1000 &); echo started; exec /bin/sleep 1000")
        #expect(started.output.availableData == Data("started\n".utf8))
        kill(started.process.processIdentifier, SIGKILL)
        #expect(started.output.readDataToEndOfFile().isEmpty)
        started.process.waitUntilExit()
    }

    private func start(_ script: String) throws -> (process: Process, output: FileHandle) {
        let command = Self.lockedIn(["/bin/sh", "-c", script], reading: [])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    @Test("started by hand it reports its purpose and starts nothing")
    func byHand() throws {
        let program = URL(fileURLWithPath: Programs.folder + "/voicegate-engine")
        for arguments in [[], ["--"], ["/usr/bin/true"], ["--readable"], ["--else", "/", "--", "/usr/bin/true"]] {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == EX_USAGE)
            #expect(text.contains("cannot be used alone"))
        }
    }

    private func run(_ command: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }
}
