import ArgumentParser
import Authorization
import Base
import CommandClient
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI

/// `voicegate service`
struct ServiceControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Start, stop and restart the service.",
        discussion: """
            Commands start the service when they need it. Where systemd has it, these commands use systemctl; the machine's \
            own service is controlled by root. To let systemd start yours: systemctl --user enable --now voicegate.socket
            """,
        subcommands: [
            ServiceStatusCommand.self, ServiceStartCommand.self, ServiceStopCommand.self, ServiceRestartCommand.self,
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
        if control.manager != .none { try await control.run("stop") }
        guard control.manager != .machine else { return true }
        // A command may have started it before systemd had it.
        let process = await ServiceProcess(health.processIdentifier) {
            (try? await runningService())?.processIdentifier
        }
        try await process?.stop(log: ServicePaths().log)
        return true
    }

    /// Lets a running service read config.yaml again; the next one reads it anyway.
    func applyConfiguration() async throws {
        let control = try await serviceControl()
        guard try await runningService() != nil, socketPath == ServicePaths().ownSocket else { return }
        _ = try await restartService(control)
    }

    /// - Throws: `CommandError` before anything is stopped if config.yaml has an error.
    fileprivate func restartService(_ control: ServiceControl) async throws -> HealthReply {
        do {
            try await ServiceProgram.find().checkConfiguration(
                control.manager == .machine ? MachineService.configuration : nil)
        } catch let error as CommandError where error.code == .badConfiguration {
            throw CommandError(
                .badConfiguration, "The service continues with the old settings. \(error.message)")
        }
        try await stopService(control)
        return try await startService(control)
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

    /// The command that shows the messages.
    private var messages: String {
        log.map { "tail -F \(ShellWord.quoted($0))" }
            ?? "journalctl \(manager == .user ? "--user " : "")--unit voicegate.service --follow"
    }

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
            ["Messages", messages],
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
        commandName: "restart", abstract: "Apply a changed config.yaml: stop the service and start it again.",
        discussion: """
            Running sessions end. If config.yaml has an error, the service continues with the old settings. Policies and \
            manifests need no restart.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let control = try await context.serviceControl()
        let health = try await context.restartService(control)
        try context.output.result(
            ServiceState(health, control, socket: context.socketPath),
            note: "The service was restarted (process \(health.processIdentifier)).")
    }
}
