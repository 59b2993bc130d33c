import CLinux
import Foundation
import LinuxSystem
import SocketAPI

/// Where the machine's service has its files.
enum MachineService {
    static let stateDirectory = "/var/lib/voicegate"
    static let configuration = "/etc/voicegate/config.yaml"
}

/// The service's program, started in its own session, so that it outlives this command and its terminal.
struct ServiceProgram {
    private static let name = "voicegated"
    /// Milliseconds until a silent service counts as failed.
    private static let timeout: Int32 = 60_000

    let path: String

    /// The one beside this program, otherwise the first in PATH.
    static func find() throws -> ServiceProgram {
        let sibling = ownFolder.map { $0 + "/" + name }
        if let sibling, ProgramEnvironment.isExecutable(sibling) { return ServiceProgram(path: sibling) }
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
        if let path = ProgramEnvironment.find(name, in: searchPath) { return ServiceProgram(path: path) }
        throw CommandError(
            .cannotStart,
            "The VoiceGate service is not running, and \(name) is neither beside this program nor in PATH. "
                + "Install all of VoiceGate.")
    }

    /// Read from the kernel, so that links to the program work.
    private static var ownFolder: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            ($0 as NSString).deletingLastPathComponent
        }
    }

    /// Blocks until the service listens, ends, or is silent for too long.
    ///
    /// - Parameters:
    ///   - log: where the service's output is appended.
    ///   - arguments: for the service.
    /// - Returns: why the service does not listen, as its exit code says; `nil` if it listens.
    func start(socketPath: String, log: String, _ arguments: [String]) throws -> ExitStatus? {
        var ends: [CInt] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { throw CommandError.cannotStart(path, errno: errno) }
        let ready = OwnedDescriptor(owning: ends[0])
        let process: pid_t
        do {
            // The end of the pipe is visible only if this copy is closed.
            defer { close(ends[1]) }
            process = try spawn(["--socket", socketPath] + arguments, log: log, ready: ends[1])
        }
        var state = pollfd(fd: ready.rawValue, events: Int16(POLLIN), revents: 0)
        var result = poll(&state, 1, Self.timeout)
        while result < 0, errno == EINTR { result = poll(&state, 1, Self.timeout) }
        guard result > 0 else { return .unavailable }
        var byte: UInt8 = 0
        if read(ready.rawValue, &byte, 1) == 1 { return nil }
        // The pipe is closed because it has ended.
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? ExitStatus(rawValue: status >> 8 & 0xFF) : nil
        // A service that ends before it listens has failed whatever its exit code is.
        return code == .success ? .unavailable : code ?? .unavailable
    }

    /// Reads the configuration as a start would.
    ///
    /// - Parameter path: of the configuration; `nil`: the user's own.
    /// - Throws: `CommandError` with what is wrong with it.
    func checkConfiguration(_ path: String?) async throws {
        let done = try await Tool(path: self.path).run(
            ["--check-configuration"] + (path.map { ["--configuration", $0] } ?? []), ToolCall(complaints: .kept))
        try require(
            done.status == 0, .badConfiguration, done.complaint.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func spawn(_ arguments: [String], log: String, ready: CInt) throws -> pid_t {
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw CommandError.cannotStart(path, errno: errno) }
        defer { close(output) }
        let environment = Self.environment(from: ProcessInfo.processInfo.environment)
        do throws(SpawnError) {
            // A folder that was the first caller's would stay in use.
            return try ProgramStart(
                [path] + arguments + ["--ready-file-descriptor", "3"], environment: environment,
                descriptors: [nil, output, output, ready], group: .ownSession, folder: "/"
            ).start()
        } catch {
            throw CommandError.cannotStart(path, errno: error.errorNumber)
        }
    }

    /// The service serves all the user's programs, so it gets what belongs to the user, and nothing else of the first command's
    /// environment.
    static func environment(from caller: [String: String]) -> [String: String] {
        caller.filter { name, _ in
            kept.contains(name) || keptPrefixes.contains { name.hasPrefix($0) }
        }
    }

    private static let kept: Set<String> = [
        "HOME", "USER", "LOGNAME", "SHELL", "PATH", "TZ", "TMPDIR", "LANG", "LANGUAGE", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "LD_LIBRARY_PATH",
    ]
    private static let keptPrefixes = ["LC_", "XDG_", "ALSA_", "PULSE_", "PIPEWIRE_", "VOICEGATE_"]
}
