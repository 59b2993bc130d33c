import Foundation
import Glibc
import TestSupport

/// A real `voicegated` with its own state, configuration and devices.
public final class ServiceUnderTest: Sendable {
    public let folder: TemporaryFolder
    public let microphones: VirtualMicrophoneConfiguration
    public let environment: [String: String]
    public let socket: String
    public let stateDirectory: String
    public let policyDirectory: String
    public let clientsDirectory: String
    public let program: RunningProgram
    private let programs: TemporaryFolder?

    /// - Parameters:
    ///   - answers: lines of a script that answers prompts; `nil`: the command line asks at its own terminal.
    ///   - prefix: a command that runs the service as its own process, such as unshare(1).
    ///   - folder: that of an earlier service, to go on with its state.
    ///   - warm: how many recognisers wait ready, unless the options name a configuration. The service's own default is two;
    ///     each costs half a second of a core at the start and again at each session. Each sound file has one recogniser, which
    ///     is enough for its few seconds: by default one for each processor loads the model.
    ///   - model: what PocketSphinx loads, unless the options name a configuration.
    ///   - programs: a folder that the command runs programs of, to be there as long as the service.
    public init(
        _ microphones: VirtualMicrophoneConfiguration? = nil, answers: [String]? = nil, options: [String] = [],
        continuing earlier: ServiceUnderTest? = nil, within prefix: [String] = [],
        environment additions: [String: String] = [:], warm: Int = 0, model: SpeechModel = .small,
        keeping programs: TemporaryFolder? = nil
    ) async throws {
        self.programs = programs
        folder = try earlier?.folder ?? TemporaryFolder()
        self.microphones = try microphones ?? earlier?.microphones ?? VirtualMicrophoneConfiguration([])
        socket = folder.path + "/run/voicegate/voicegate.sock"
        stateDirectory = folder.path + "/state"
        policyDirectory = folder.path + "/policy.d"
        clientsDirectory = folder.path + "/clients"
        for directory in [policyDirectory, clientsDirectory] {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        if !options.contains("--configuration"), earlier == nil {
            try folder.write(
                "warmRecognizers: \(warm)\nfileRecognizers: 1\n" + model.install(in: stateDirectory),
                to: ".config/voicegate/config.yaml")
        }
        environment = [
            "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm", "VOICEGATE_NO_START": "1",
        ].merging(self.microphones.environment) { _, new in new }.merging(additions) { _, new in new }
        var arguments = [
            Programs.service, "--socket", socket, "--state-directory", stateDirectory, "--policy-directory",
            policyDirectory, "--clients-directory", clientsDirectory, "--ready-file-descriptor", "1",
            // A request that nobody can ask about is refused at once.
            "--agent-timeout", "0",
        ]
        if let answers {
            let script = try folder.write(answers.joined(separator: "\n") + "\n", to: "answers.jsonl")
            arguments += ["--agent", "script:\(script)"]
        }
        program = try RunningProgram(prefix + arguments + options, environment: environment, isForeground: false)
        try await program.line { $0 == "ready" }
    }

    public static let yesToAll = [#"{"client":"*","resource":"*","answer":"whileInUse"}"#]

    /// - Parameter variables: of the command's environment, besides those that the service has too.
    public func commandLine(
        _ arguments: [String], isForeground: Bool = true, variables: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            [Programs.commandLine] + arguments + ["--socket", socket],
            environment: environment.merging(variables) { _, new in new }, isForeground: isForeground)
    }

    /// Runs a command to its end, with pipes and in the foreground of a terminal that it does not use.
    @discardableResult
    public func run(
        _ arguments: [String], isForeground: Bool = true, variables: [String: String] = [:]
    ) async throws -> (status: Int32, output: [String], errors: String) {
        let program = try commandLine(arguments, isForeground: isForeground, variables: variables)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }

    /// A command at its own terminal (made by script(1)): typed input reaches it, and the output is what it shows.
    /// The shell becomes the command, because Ctrl-C would end the shell, and with it the terminal, before the command.
    public func atTerminal(_ arguments: [String], variables: [String: String] = [:]) throws -> RunningProgram {
        let command = ([Programs.commandLine] + arguments + ["--socket", socket]).map { "'\($0)'" }.joined(
            separator: " ")
        return try RunningProgram(
            ["/usr/bin/script", "-qefc", "stty cols 100; exec " + command, "/dev/null"],
            environment: environment.merging(variables) { _, new in new })
    }

    public func curl(
        _ path: String, _ arguments: [String] = [], isForeground: Bool = true
    ) throws -> RunningProgram {
        try RunningProgram(
            [Programs.curl, "-sN", "--unix-socket", socket, "http://voicegate\(path)"] + arguments,
            environment: environment, isForeground: isForeground)
    }

    /// Makes curl a client by a manifest, as a person would who writes a script around it.
    public func registerCurl(
        describing keys: [String] = ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"]
    )
        throws
    { try register(Programs.curl, as: "org.example.curl", in: "curl", describing: keys) }

    /// Makes a program a client by a manifest.
    public func register(
        _ program: String, as identifier: String, in name: String,
        describing keys: [String] = ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"]
    ) throws {
        let descriptions = keys.map { "<key>\($0)</key><string>To try the socket.</string>" }.joined()
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>VoiceGateLaunchCommand</key><array><string>\(program)</string></array>
            \(descriptions)
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/\(name)/Info.plist")
    }

    /// Runs an example of the Swift library (`Documentation/Examples/Swift`), which finds the service where every user's is.
    ///
    /// - Parameter keys: the usage descriptions that its manifest has; empty: it has no manifest.
    public func example(
        _ name: String, _ arguments: [String] = [],
        describing keys: [String] = ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"]
    ) throws -> RunningProgram {
        let program = Programs.folder + "/examples/" + name
        if !keys.isEmpty { try register(program, as: "org.example.example", in: "example", describing: keys) }
        return try RunningProgram(
            // Its lines are waited for, and Swift writes whole blocks to a pipe.
            ["/usr/bin/stdbuf", "-oL", program] + arguments,
            environment: environment.merging(["XDG_RUNTIME_DIR": folder.path + "/run"]) { _, new in new })
    }

    /// The records of the log, as the command prints them.
    public func records() async throws -> [Record] {
        let (status, output, errors) = try await run(["audit", "records", "--json"])
        guard status == 0 else { throw RunningProgram.Ended(output: output, errors: errors) }
        return try output.map { try Record(line: $0) }
    }

    /// Stops it as a session manager would, and waits.
    @discardableResult
    public func stop() async -> Int32 {
        program.signal(SIGTERM)
        return await program.end()
    }

    /// Processes of the service's recognisers.
    public var recognizers: [Int32] {
        let children = "/proc/\(program.processIdentifier)/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: children)) ?? []
        return tasks.flatMap { task in
            let list = (try? String(contentsOfFile: "\(children)/\(task)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { Int32($0) }
        }
    }
}
