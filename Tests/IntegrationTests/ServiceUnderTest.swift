import Foundation
import Glibc
import TestSupport

/// A real `voicegated` with a state, configuration and devices of its own.
final class ServiceUnderTest: Sendable {
    let folder: TemporaryFolder
    let microphones: VirtualMicrophoneConfiguration
    let environment: [String: String]
    let socket: String
    let stateDirectory: String
    let policyDirectory: String
    let clientsDirectory: String
    let program: RunningProgram

    /// - Parameters:
    ///   - answers: lines of a script that answers prompts; `nil`: the command line asks at its own terminal.
    ///   - folder: that of an earlier service, to go on with its state.
    init(
        _ microphones: VirtualMicrophoneConfiguration? = nil, answers: [String]? = nil, options: [String] = [],
        continuing earlier: ServiceUnderTest? = nil
    ) async throws {
        folder = try earlier?.folder ?? TemporaryFolder()
        self.microphones = try microphones ?? earlier?.microphones ?? VirtualMicrophoneConfiguration([])
        socket = folder.path + "/run/voicegate.sock"
        stateDirectory = folder.path + "/state"
        policyDirectory = folder.path + "/policy.d"
        clientsDirectory = folder.path + "/clients"
        for directory in [policyDirectory, clientsDirectory] {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        environment = [
            "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm", "VOICEGATE_NO_START": "1",
        ].merging(self.microphones.environment) { _, new in new }
        var arguments = [
            Programs.service, "--socket", socket, "--state-directory", stateDirectory, "--policy-directory",
            policyDirectory, "--clients-directory", clientsDirectory, "--ready-file-descriptor", "1",
        ]
        if let answers {
            let script = try folder.write(answers.joined(separator: "\n") + "\n", to: "answers.jsonl")
            arguments += ["--agent", "script:\(script)"]
        }
        program = try RunningProgram(arguments + options, environment: environment)
        try await program.line { $0 == "ready" }
    }

    static let yesToAll = [#"{"client":"*","resource":"*","answer":"whileInUse"}"#]

    func commandLine(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram([Programs.commandLine] + arguments + ["--socket", socket], environment: environment)
    }

    /// Runs a command to its end, without a terminal.
    @discardableResult
    func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errors: String) {
        let program = try commandLine(arguments)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }

    /// A command at a terminal of its own (script(1) makes one): what is typed reaches it, what it shows is the output.
    /// The shell becomes the command, because Ctrl-C would end the shell, and with it the terminal, before the command.
    func atTerminal(_ arguments: [String]) throws -> RunningProgram {
        let command = ([Programs.commandLine] + arguments + ["--socket", socket]).map { "'\($0)'" }.joined(
            separator: " ")
        return try RunningProgram(
            ["/usr/bin/script", "-qefc", "stty cols 100; exec " + command, "/dev/null"], environment: environment)
    }

    func curl(_ path: String, _ arguments: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            [Programs.curl, "-sN", "--unix-socket", socket, "http://voicegate\(path)"] + arguments,
            environment: environment)
    }

    /// Makes curl a client by a manifest, as a person would who writes a script around it.
    func registerCurl(
        describing keys: [String] = ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"]
    )
        throws
    {
        let descriptions = keys.map { "<key>\($0)</key><string>To try the socket.</string>" }.joined()
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            \(descriptions)
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
    }

    /// The records of the log, as the command prints them.
    func records() async throws -> [Record] {
        let (status, output, errors) = try await run(["audit", "records", "--json"])
        guard status == 0 else { throw RunningProgram.Ended(output: output, errors: errors) }
        return try output.map { try Record(line: $0) }
    }

    /// Stops it as a session manager would, and waits.
    @discardableResult
    func stop() async -> Int32 {
        program.signal(SIGTERM)
        return await program.end()
    }

    /// Processes of the service's recognisers.
    var recognizers: [Int32] {
        let children = "/proc/\(program.processIdentifier)/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: children)) ?? []
        return tasks.flatMap { task in
            let list = (try? String(contentsOfFile: "\(children)/\(task)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { Int32($0) }
        }
    }
}
