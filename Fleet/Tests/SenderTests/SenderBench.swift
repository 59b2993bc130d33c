import Authorization
import Consent
import Foundation
import Storage
import Testing

/// A real service with a log of its own, and the real sender beside it.
final class SenderBench: Sendable {
    /// Of the main package's build; `nil`: it is not there.
    static let service: String? = {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let folder = bundle.appending(path: "../../../debug").standardizedFileURL.path
        return FileManager.default.isExecutableFile(atPath: folder + "/voicegated") ? folder : nil
    }()

    let folder: String
    private let programs: String
    var socket: String { folder + "/run/voicegate.sock" }
    var state: String { folder + "/state" }
    var credential: String { folder + "/sender/credential.json" }

    /// - Parameter records: that the log has before the service runs.
    init(records: Int) async throws {
        let service = try #require(Self.service)
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        // The service answers the sender beside it alone; links are the programs themselves, elsewhere.
        programs = own + "/sender-\(UUID().uuidString)"
        folder = "/tmp/voicegate-sender-\(UUID().uuidString.prefix(8))"
        let files = FileManager.default
        for path in [programs, folder, folder + "/run", folder + "/policy.d", folder + "/clients"] {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for name in ["voicegated", "voicegate", "voicegate-recognizer", "voicegate-engine"] {
            try files.linkItem(atPath: "\(service)/\(name)", toPath: "\(programs)/\(name)")
        }
        try files.linkItem(atPath: own + "/voicegate-sender", toPath: programs + "/voicegate-sender")
        try await write(records)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: programs)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Appends records while no service runs.
    func write(_ count: Int) async throws {
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        for _ in 0..<count {
            try await log.record(.recovered(Recovery(reason: .restarted, sessions: [])), changing: nil)
        }
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

    func configure(_ url: String, name: String = "Example Audit", send: String = "records") throws {
        let text = """
            warmRecognizers: 0
            collector: {url: "\(url)", name: \(name), purpose: to find misuse, send: \(send)}
            """
        try text.write(toFile: folder + "/config.yaml", atomically: true, encoding: .utf8)
    }

    /// Of 127.0.0.1, signed by itself.
    func certificate() throws -> (certificate: String, key: String) {
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
    func startService(_ options: [String] = []) async throws -> ChildProcess {
        let process = try ChildProcess(
            "\(programs)/voicegated",
            [
                "--socket", socket, "--state-directory", state, "--configuration", folder + "/config.yaml",
                "--policy-directory", folder + "/policy.d", "--clients-directory", folder + "/clients",
                "--ready-file-descriptor", "1",
            ] + options, environment: environment)
        try await process.line("ready")
        return process
    }

    func startSender() throws -> ChildProcess {
        try ChildProcess(
            "\(programs)/voicegate-sender", ["run", "--socket", socket, "--state-directory", folder + "/sender"],
            environment: environment)
    }

    @discardableResult
    func enroll(token: String = "one-time", _ options: [String] = []) async throws -> ChildProcess {
        try token.write(toFile: folder + "/token", atomically: true, encoding: .utf8)
        return try await sender(["enroll", "--token-file", folder + "/token"] + options)
    }

    /// Runs the sender to its end.
    func sender(_ arguments: [String]) async throws -> ChildProcess {
        let process = try ChildProcess(
            "\(programs)/voicegate-sender",
            arguments + ["--socket", socket, "--state-directory", folder + "/sender"], environment: environment)
        await process.end()
        return process
    }

    func commandLine(_ arguments: [String]) async throws -> ChildProcess {
        let process = try ChildProcess(
            "\(programs)/voicegate", arguments + ["--socket", socket], environment: environment)
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

    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        output = "\(environment["HOME"] ?? "/tmp")/output-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
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
