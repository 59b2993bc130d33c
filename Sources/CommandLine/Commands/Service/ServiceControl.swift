import Consent
import Foundation
import Glibc
import LinuxSystem
import SocketAPI

/// What starts and stops the service of a socket.
struct ServiceControl: Sendable {
    enum Manager: String, Sendable, Codable, CaseIterable {
        /// The machine's systemd; only root controls it.
        case machine
        /// The user's systemd.
        case user
        /// None: `voicegate` starts `voicegated` itself.
        case none
    }

    private static let sockets = "voicegate.socket"
    private static let service = "voicegate.service"

    let manager: Manager
    /// `systemctl`; `nil` where there is none.
    private let systemctl: Tool?

    /// Asks systemd whether it has this socket.
    static func of(
        socketPath: String, paths: ServicePaths, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> ServiceControl {
        let systemctl = ProgramEnvironment.find("systemctl", in: environment["PATH"] ?? "/usr/bin:/bin")
            .map { Tool(path: $0, environment: environment) }
        if socketPath == ServicePaths.systemSocket {
            return ServiceControl(manager: .machine, systemctl: systemctl)
        }
        guard socketPath == paths.ownSocket, let systemctl else {
            return ServiceControl(manager: .none, systemctl: nil)
        }
        let answer = try await systemctl.run(
            ["--user", "show", "--property=ActiveState,UnitFileState", sockets], ToolCall(limit: .seconds(10)))
        let states = answer.status == 0 ? answer.output.split(separator: "\n") : []
        // The package's unit exists even while it is not used.
        let isUsed = states.contains("ActiveState=active") || states.contains("UnitFileState=enabled")
        return ServiceControl(manager: isUsed ? .user : .none, systemctl: systemctl)
    }

    /// Runs a verb of `systemctl` for the units.
    ///
    /// - Throws: `CommandError` with what to run as root where this user may not.
    func run(_ verb: String) async throws {
        let arguments = (manager == .machine ? [] : ["--user"]) + [verb, Self.sockets, Self.service]
        try require(
            manager != .machine || geteuid() == 0, .cannotControl,
            "The machine's service is controlled by root. Run: sudo systemctl " + arguments.joined(separator: " "))
        guard let systemctl else {
            throw CommandError(.missingTool, "systemctl is not in PATH, and the machine's service is systemd's.")
        }
        let done = try await systemctl.run(arguments, ToolCall(output: .inherited, complaints: .inherited))
        try require(
            done.status == 0, .cannotControl, "systemctl \(arguments.joined(separator: " ")) failed; see above.")
    }

    /// Starts the service of systemd once with these arguments of `voicegated`. It must not run; systemd may be trying again to
    /// start one that refuses, or have given up.
    ///
    /// - Throws: `CommandError`.
    func start(with arguments: LogStart.Options) async throws {
        guard !arguments.isEmpty else { return try await run("start") }
        try require(
            manager != .machine || geteuid() == 0, .cannotControl,
            "The machine's service is controlled by root. Run: sudo \(arguments.command)")
        let variable = LogStart.Options.variable
        let scope = manager == .machine ? [] : ["--user"]
        func tell(_ words: [String]) async throws {
            _ = try await systemctl?.run(scope + words, ToolCall(output: .inherited, complaints: .inherited))
        }
        try await run("stop")
        try await run("reset-failed")
        let value = arguments.environmentValue(untilSecondOfBoot: BootClock.second + 60)
        try await tell(["set-environment", "\(variable)=\(value)"])
        do {
            try await run("start")
        } catch {
            try? await tell(["unset-environment", variable])
            throw error
        }
        try await tell(["unset-environment", variable])
    }
}

/// The process of a service that only this user controls.
struct ServiceProcess {
    /// How long the service may take to end its sessions.
    private static let patience = Duration.seconds(30)

    private let handle: ProcessHandle

    /// - Parameter identifier: as the service states it; asked again, because the process may have been replaced meanwhile.
    /// - Returns: `nil` if it has ended.
    init?(_ identifier: Int32, stillServing: () async -> Int32?) async {
        guard let handle = try? ProcessHandle(processIdentifier: identifier), await stillServing() == identifier else {
            return nil
        }
        self.handle = handle
    }

    /// Sends SIGTERM and waits for the end.
    ///
    /// - Throws: `CommandError` if it does not end in time, or may not be ended.
    func stop(log: String) async throws {
        let process = handle.processIdentifier
        let (ended, news) = AsyncStream.makeStream(of: Bool.self)
        handle.onExit { news.yield(true) }
        guard handle.send(SIGTERM) || !handle.isAlive else {
            throw CommandError(.cannotControl, "Process \(process) cannot be stopped: \(systemMessage()).")
        }
        let deadline = Task {
            try await Task.sleep(for: Self.patience)
            news.yield(false)
        }
        defer { deadline.cancel() }
        for await hasEnded in ended {
            if hasEnded { return }
            break
        }
        try Task.checkCancellation()
        throw CommandError(
            .cannotControl,
            "The service (process \(process)) did not end within \(Self.patience). Its messages are in \(log). "
                + "To end it without waiting: kill -KILL \(process)")
    }
}
