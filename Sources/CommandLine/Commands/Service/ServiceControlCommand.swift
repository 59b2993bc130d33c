import ArgumentParser
import CommandClient
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI

/// `voicegate service`
struct ServiceControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Start, stop and restart the service, and read its messages.",
        discussion: """
            Commands start the service when they need it. Where systemd has it, these commands use systemctl; the machine's \
            own service is controlled by root.
            """,
        subcommands: [
            ServiceStatusCommand.self, ServiceStartCommand.self, ServiceStopCommand.self, ServiceRestartCommand.self,
            ServiceReloadCommand.self, ServiceLogsCommand.self, ServiceEnableCommand.self, ServiceDisableCommand.self,
        ], defaultSubcommand: ServiceStatusCommand.self)
}

extension CommandContext {
    func serviceControl() async throws -> ServiceControl {
        try await .of(socketPath: socketPath, paths: ServicePaths())
    }

    /// - Returns: `nil` if no service listens.
    fileprivate func runningService() async throws -> HealthReply? {
        do {
            return try await clientOfRunningService.health()
        } catch let error as ClientError where error.code == .notRunning {
            return nil
        }
    }

    /// - Returns: the service as it runs now.
    @discardableResult
    fileprivate func startService(
        _ control: ServiceControl, with arguments: LogStart.Options = []
    ) async throws -> HealthReply {
        switch control.manager {
        case .machine, .user: try await control.start(with: arguments)
        case .none: try await startOwnService(with: arguments)
        }
        return try await clientOfRunningService.health()
    }

    /// - Returns: whether one ran.
    @discardableResult
    fileprivate func stopService(_ control: ServiceControl) async throws -> Bool {
        guard let health = try await runningService() else { return false }
        if control.manager != .none { try await control.run(["stop"], service: true) }
        guard control.manager != .machine else { return true }
        // A command may have started it before systemd had it.
        let process = await ServiceProcess(health.processIdentifier) {
            (try? await runningService())?.processIdentifier
        }
        try await process?.stop(log: ServicePaths().log)
        return true
    }

    /// Lets a running service read config.yaml again; the next one reads it anyway.
    func reloadService() async throws {
        let control = try await serviceControl()
        try await ServiceProgram.find().checkConfiguration(nil)
        guard try await runningService() != nil, socketPath == ServicePaths().ownSocket else { return }
        _ = try await restartService(control)
    }

    fileprivate func restartService(_ control: ServiceControl) async throws -> HealthReply {
        try await stopService(control)
        return try await startService(control)
    }

    /// Lets systemd start the service, or not any more.
    ///
    /// - Throws: `CommandError` where systemd does not know the units.
    func enableService(_ isOn: Bool) async throws {
        let control = try await serviceControl()
        guard control.isInstalled else {
            throw CommandError(
                .cannotControl,
                "Your systemd has no voicegate.socket for this service; the package installs it. Without it, the service is "
                    + "started when a command needs it.")
        }
        // It has the socket that systemd is to open.
        if isOn, control.manager == .none { try await stopService(control) }
        try await control.run([isOn ? "enable" : "disable", "--now"], service: !isOn)
    }
}

/// What `voicegate service` prints of a service.
struct ServiceState: Sendable, Codable {
    let isRunning: Bool
    let manager: ServiceControl.Manager
    var processIdentifier: Int32?
    var version: String?
    var mode: HealthReply.Mode?
    let socket: String
    /// The file of its messages; absent if the journal has them.
    let log: String?

    init(_ health: HealthReply?, _ control: ServiceControl, socket: String) {
        isRunning = health != nil
        manager = control.manager
        processIdentifier = health?.processIdentifier
        version = health?.version
        mode = health?.mode
        self.socket = socket
        log = control.manager == .none ? ServicePaths().log : nil
    }

    var lines: [String] {
        let state = processIdentifier.map { "process \($0), version \(version ?? "unknown"), \(mode?.rawValue ?? "")" }
        let starter =
            switch manager {
            case .machine: "the machine's systemd (voicegate.socket)"
            case .user: "your systemd (voicegate.socket)"
            case .none: "voicegate, when a command needs it"
            }
        return TextTable.lines([
            ["Service", state ?? "does not run"], ["Started by", starter], ["Socket", socket],
            ["Messages", log ?? "in the journal; voicegate service logs"],
        ])
    }
}

struct ServiceStatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the service runs, what starts it, and where its messages are.",
        discussion: "Starts nothing. The exit code is 69 if it does not run. voicegate doctor examines it.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let health = try await context.runningService()
        let state = ServiceState(health, try await context.serviceControl(), socket: context.socketPath)
        try context.output.result(state, state.lines, ending: health == nil ? .unavailable : .success)
    }
}

struct ServiceStartCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start the service, if it does not run.",
        discussion: """
            A service that refuses its consent log names the option with which it continues. The options are for this start \
            alone; systemd's service is stopped before it.
            """)

    @Flag(
        help: """
            Continue with a consent log that is older than its last signed checkpoint, or whose checkpoint is lost or of \
            another log. This is recorded, and the log gets a new key.
            """)
    var acceptRestoredLog = false

    @Flag(
        help: """
            Make a new key for the consent log's checkpoints if the old one is lost or was replaced by another. This is \
            recorded.
            """)
    var replaceLostKey = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        var arguments: LogStart.Options = []
        if acceptRestoredLog { arguments.insert(.acceptRestoredLog) }
        if replaceLostKey { arguments.insert(.replaceLostKey) }
        let control = try await context.serviceControl()
        // Systemd's socket would start a service that refuses.
        let running = arguments.isEmpty || control.manager == .none ? try await context.runningService() : nil
        if running != nil, !arguments.isEmpty {
            throw CommandError(
                .cannotControl, "The service runs, and \(arguments.arguments) is for its start: voicegate service stop")
        }
        let health: HealthReply
        if let running { health = running } else { health = try await context.startService(control, with: arguments) }
        try context.output.result(
            ServiceState(health, control, socket: context.socketPath),
            note:
                "The service \(running == nil ? "runs" : "was running already") (process \(health.processIdentifier)).")
    }
}

struct ServiceStopCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the service. Running sessions end.",
        discussion: "The next command that needs the service starts it again. voicegate mute lasts.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let control = try await context.serviceControl()
        let ran = try await context.stopService(control)
        try context.output.result(
            ServiceState(nil, control, socket: context.socketPath),
            note: ran ? "The service was stopped." : "The service was not running.")
    }
}

struct ServiceRestartCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart", abstract: "Stop the service and start it again. Running sessions end.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let control = try await context.serviceControl()
        let health = try await context.restartService(control)
        try context.output.result(
            ServiceState(health, control, socket: context.socketPath),
            note: "The service was restarted (process \(health.processIdentifier)).")
    }
}

struct ServiceReloadCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Apply a changed config.yaml: check it, and restart the service if it is valid.",
        discussion: """
            Running sessions end. If config.yaml has an error, the service continues with the old settings. Policies and \
            manifests need no reload.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let control = try await context.serviceControl()
        try await ServiceProgram.find().checkConfiguration(
            control.manager == .machine ? "/etc/voicegate/config.yaml" : nil)
        let health = try await context.restartService(control)
        try context.output.result(
            ServiceState(health, control, socket: context.socketPath),
            note: "The service was restarted with config.yaml as it is now (process \(health.processIdentifier)).")
    }
}

struct ServiceLogsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show the service's messages.",
        discussion: "Who listened is not in them: voicegate audit records.")

    @Option(name: [.customShort("n"), .long], help: .init("How many of the last lines.", valueName: "count"))
    var lines = 50

    @Flag(name: [.customShort("f"), .long], help: "Show new messages as they come.")
    var follow = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard lines >= 0 else { throw ValidationError("--lines must be 0 or more.") }
    }

    func run(_ context: CommandContext) async throws {
        let control = try await context.serviceControl()
        let log = ServicePaths().log
        if control.manager == .none, access(log, F_OK) != 0 {
            throw CommandError(
                .noInput,
                "There is no \(log). It has the messages of a service that voicegate started; another service writes them "
                    + "to its own standard error.")
        }
        let command = control.outputReader(log: log, lines: lines, follows: follow)
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        guard let program = ProgramEnvironment.find(command[0], in: searchPath) else {
            throw CommandError(.missingTool, "\(command[0]) is not in PATH.")
        }
        // In place of this program, so that Ctrl-C and a closed pipe reach it.
        CStrings.with(command) { _ = execv(program, $0) }
        throw CommandError.cannotStart(program, errno: errno)
    }
}

struct ServiceEnableCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let systemd start the service, from your next login on and now.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.enableService(true)
        context.output.note("systemd starts the service when a program connects.")
    }
}

struct ServiceDisableCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Undo voicegate service enable, and stop the service.",
        discussion: "Commands then start the service themselves.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.enableService(false)
        context.output.note("systemd no longer starts the service.")
    }
}
