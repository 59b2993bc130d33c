import Authorization
import Consent
import Foundation
import Storage
import Testing

/// A real service with its own log, and the real sender beside it.
final class SenderBench: Sendable {
    /// Where the programs of both packages are built.
    private static let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path
    static let hasService = FileManager.default.isExecutableFile(atPath: built + "/voicegated")

    let folder: String
    private let programs: String
    var socket: String { folder + "/run/voicegate.sock" }
    var state: String { folder + "/state" }
    var credential: String { folder + "/sender/credential.json" }
    var sender: String { programs + "/voicegate-sender" }

    /// - Parameters:
    ///   - records: that the log has before the service runs.
    ///   - isForAll: whether other users may reach the programs and the socket's folder; a checkout may be private.
    init(records: Int, isForAll: Bool = false) async throws {
        folder = "/tmp/voicegate-sender-\(UUID().uuidString.prefix(8))"
        // The service answers the sender beside it alone.
        programs = folder + "/bin"
        let files = FileManager.default
        for path in [folder, programs, folder + "/run", folder + "/policy.d", folder + "/clients"] {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: isForAll ? 0o755 : 0o700])
        }
        let names = ["voicegated", "voicegate", "voicegate-recognizer", "voicegate-engine", "voicegate-sender"]
        // Copies: a link would change the programs' inodes, and a program that reads one meanwhile reads it again.
        for name in names { try files.copyItem(atPath: "\(Self.built)/\(name)", toPath: "\(programs)/\(name)") }
        try await write(records)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Appends records while no service runs.
    func write(_ count: Int) async throws {
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        // Those that wait are written together.
        let tickets = (0..<count).map { _ in
            log.submit(.recovered(sessions: []), changing: nil)
        }
        for ticket in tickets { _ = try await ticket.value }
        try storage.close()
    }

    /// Replaces the log's key while no service runs.
    func rotateKey() async throws {
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: try CheckpointFiles(directory: state))
        _ = try await log.rotateKey()
        try storage.close()
    }

    /// The log's own records, while no service runs.
    func stored() async throws -> [StoredRecord] {
        let storage = try SQLiteStorage(directory: state)
        let records = try await storage.records(of: [], in: 0..<Int64.max, .forward, limit: .max)
        try storage.close()
        return records
    }

    /// The collector has the whole log, in order and once; called while no service runs.
    func expectAll(at collector: ScriptedCollector) async throws {
        let stored = try await stored()
        #expect(await collector.log.entries == stored.map(\.leaf))
    }

    func configure(_ url: String, name: String = "Example Audit", send: String = "records") throws {
        let text = """
            warmRecognizers: 0
            collector: {url: "\(url)", name: \(name), purpose: to find misuse, send: \(send)}
            """
        try text.write(toFile: folder + "/config.yaml", atomically: true, encoding: .utf8)
    }

    /// Of 127.0.0.1, signed by itself.
    static func certificate(in folder: String) throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=collector", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (certificate, key)
    }

    /// Returns when the service listens.
    ///
    /// - Parameter prefix: a command that becomes the service, such as unshare(1).
    func startService(_ options: [String] = [], within prefix: [String] = []) async throws -> ChildProcess {
        let process = try ChildProcess(
            prefix + [
                "\(programs)/voicegated", "--socket", socket, "--state-directory", state, "--configuration",
                folder + "/config.yaml",
                "--policy-directory", folder + "/policy.d", "--clients-directory", folder + "/clients",
                "--ready-file-descriptor", "1",
            ] + options, environment: environment)
        try await process.line("ready")
        return process
    }

    func startSender(as user: UInt32? = nil) throws -> ChildProcess {
        try startSender(["run", "--first-pause", "0.1"], as: user)
    }

    @discardableResult
    func enroll(
        token: String = "one-time", _ options: [String] = [], as user: UInt32? = nil
    ) async throws -> ChildProcess {
        try token.write(toFile: folder + "/token", atomically: true, encoding: .utf8)
        return try await sender(["enroll", "--token-file", folder + "/token"] + options, as: user)
    }

    /// Runs the sender to its end.
    ///
    /// - Parameter program: another file than the one beside the service.
    func sender(
        _ arguments: [String], as user: UInt32? = nil, program: String? = nil
    ) async throws -> ChildProcess {
        let process = try startSender(arguments, as: user, program: program)
        await process.end()
        return process
    }

    private func startSender(
        _ arguments: [String], as user: UInt32?, program: String? = nil
    ) throws -> ChildProcess {
        let prefix = user.map { ["/usr/bin/setpriv", "--reuid", "\($0)", "--regid", "\($0)", "--clear-groups"] }
        return try ChildProcess(
            (prefix ?? []) + [program ?? sender] + arguments
                + ["--socket", socket, "--state-directory", folder + "/sender"], environment: environment)
    }

    func commandLine(_ arguments: [String]) async throws -> ChildProcess {
        let process = try ChildProcess(
            ["\(programs)/voicegate"] + arguments + ["--socket", socket], environment: environment)
        await process.end()
        return process
    }

    private var environment: [String: String] {
        ["HOME": folder, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder + "/run", "VOICEGATE_NO_START": "1"]
    }
}

/// A program that runs beside the test.
final class ChildProcess: Sendable {
    private let process = Process()
    private let output: String

    init(_ command: [String], environment: [String: String]) throws {
        output = "\(environment["HOME"] ?? "/tmp")/output-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        let file = FileHandle(forWritingAtPath: output)
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
    var status: Int32 { process.terminationStatus }

    /// How often it has printed this.
    func count(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }

    /// Bytes.
    var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.filter(\.isNumber))) << 10
        }
    }

    /// Returns when it has printed this.
    func line(_ part: String) async throws {
        while !text.contains(part) {
            guard process.isRunning else { throw Ended(output: text) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func end() async { while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) } }

    func stop(_ signal: Int32 = SIGTERM) async {
        kill(process.processIdentifier, signal)
        await end()
    }

    struct Ended: Error { let output: String }
}

/// Returns when the condition holds; the suite's time limit ends a wait that is in vain.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(20)) }
}
