import FleetDatabase
import Foundation
import Synchronization
import Testing

/// A PostgreSQL server of the test process alone: in a temporary folder, on a Unix socket, ended with the process.
///
/// Started once; tests get a database each.
public final class PrivatePostgreSQL: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The folder with initdb and postgres; `nil`: PostgreSQL is not installed.
    public static let programs: URL? = {
        let root = URL(filePath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return versions.compactMap { Int($0) }.filter { $0 >= 15 }.max()
            .map { root.appending(path: "\($0)/bin") }
            .flatMap { FileManager.default.isExecutableFile(atPath: $0.path + "/initdb") ? $0 : nil }
    }()

    /// The server of this process.
    public static let shared = Result { try PrivatePostgreSQL() }

    private let folder: URL
    private let numbers = Atomic(0)
    /// The shell that waits for the server, and the pipe that ends it when it is closed.
    private let server: Mutex<(process: Process, pipe: Pipe)?>

    /// Starts another server; call `stop` at the end.
    ///
    /// - Parameter settings: lines of postgresql.conf.
    public convenience init(settings: [String] = []) throws {
        try self.init { programs, data in
            [
                programs + "/initdb", "--pgdata", data, "--auth", "trust", "--username", "postgres", "--encoding",
                "UTF8",
                "--locale", "C.UTF-8", "--no-sync",
            ]
        }
        try start(settings)
    }

    /// A copy of a running server's files, which `restore` starts.
    public convenience init(copying source: PrivatePostgreSQL) throws {
        try self.init { programs, data in
            [
                programs + "/pg_basebackup", "--pgdata", data, "--wal-method", "stream", "--checkpoint", "fast",
                "--no-sync", "--host", source.folder.path, "--username", "postgres",
            ]
        }
    }

    private init(making files: (_ programs: String, _ data: String) -> [String]) throws {
        guard let programs = Self.programs else { throw Failure(description: "PostgreSQL is not installed") }
        folder = FileManager.default.temporaryDirectory.appending(
            path: "voicegate-postgresql-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if getuid() == 0 { try Self.run(["/usr/bin/chown", "postgres", folder.path]) }
        try Self.run(Self.asServer + files(programs.path, folder.path + "/data"))
        server = Mutex(nil)
        // The process ends by exit(), and the server and its folder with it.
        let isFirst = startedServers.withLock { servers in
            servers.append(self)
            return servers.count == 1
        }
        if isFirst { atexit { for server in startedServers.withLock({ $0 }) { server.stop() } } }
    }

    private func start(_ settings: [String]) throws {
        let lines =
            ["listen_addresses = ''", "unix_socket_directories = '\(folder.path)'", "max_connections = 200"] + settings
        let file = try FileHandle(forWritingTo: folder.appending(path: "data/postgresql.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try file.close()
        try start()
    }

    /// Starts a copy; PostgreSQL first replays what is archived, as far as the settings say.
    public func restore(_ settings: [String]) throws {
        try Self.run(Self.asServer + ["/usr/bin/touch", folder.path + "/data/recovery.signal"])
        try start(settings)
    }

    /// A folder that the server may write.
    public func makeFolder(_ name: String) throws -> String {
        let path = folder.path + "/" + name
        try Self.run(Self.asServer + ["/usr/bin/mkdir", path])
        return path
    }

    /// The server's own processes run as another user, because postgres refuses to run as root.
    private static var asServer: [String] {
        getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : ["/usr/bin/env"]
    }

    /// Starts the server again, and waits until it answers.
    public func start() throws {
        guard let programs = Self.programs else { throw Failure(description: "PostgreSQL is not installed") }
        // Ends with this process also if that is killed: then the pipe is closed.
        let pipe = Pipe()
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let watch = #"exec 3<&0; "$@" </dev/null 3<&- & p=$!; (read x <&3; kill -QUIT $p) & wait $p; kill $!"#
        let process = try Self.launch(
            ["/bin/sh", "-c", watch, "sh"] + Self.asServer
                + [programs.path + "/postgres", "-D", folder.path + "/data"],
            input: pipe, log: folder.appending(path: "log"))
        server.withLock { $0 = (process, pipe) }
        while (try? Self.run([programs.path + "/pg_isready", "--quiet", "--host", folder.path])) == nil {
            guard process.isRunning else {
                let text = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
                // The children of a server that was killed have not ended yet.
                if text.contains("pre-existing shared memory block") { return try start() }
                throw Failure(description: text)
            }
            usleep(20_000)
        }
    }

    /// The server is killed without any warning.
    public func kill() {
        server.withLock { server in
            let file = try? String(contentsOf: folder.appending(path: "data/postmaster.pid"), encoding: .utf8)
            guard let server, server.process.isRunning,
                let identifier = file?.split(separator: "\n").first.flatMap({ pid_t($0) })
            else { return }
            // The children end when the postmaster is gone.
            Glibc.kill(identifier, SIGKILL)
            server.process.waitUntilExit()
        }
    }

    /// Ends the server and removes its folder.
    public func stop() {
        server.withLock { server in
            try? server?.pipe.fileHandleForWriting.close()
            server?.process.waitUntilExit()
            server = nil
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Settings for libpq of a database of this name.
    public func settings(database: String = "postgres") -> String {
        "host='\(folder.path)' user=postgres dbname=\(database)"
    }

    /// A new database with this program's schema.
    ///
    /// - Returns: settings for libpq.
    public func newDatabase(migrated: Bool = true) async throws -> String {
        let name = "test\(numbers.add(1, ordering: .relaxed).newValue)"
        try await DatabaseConnection(settings: settings()).script("CREATE DATABASE \(name)")
        let settings = settings(database: name)
        if migrated { _ = try await Migrator().apply(to: DatabaseConnection(settings: settings)) }
        return settings
    }

    private static func run(_ command: [String]) throws {
        let process = try launch(command, log: nil)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
    }

    private static func launch(_ command: [String], input: Pipe? = nil, log: URL?) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input ?? FileHandle.nullDevice as Any
        var output = FileHandle.nullDevice
        if let log {
            FileManager.default.createFile(atPath: log.path, contents: nil)
            output = try FileHandle(forWritingTo: log)
        }
        process.standardOutput = output
        process.standardError = output
        // A child has the signal mask of the thread that starts it, and threads of Swift's pool block signals: the shell
        // would neither see its child end nor take a signal.
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        return process
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite on a machine without PostgreSQL.
    public static var needsPostgreSQL: Self {
        .enabled(
            if: PrivatePostgreSQL.programs != nil, "PostgreSQL 15 or newer is not installed: Scripts/setup database")
    }
}

private let startedServers = Mutex<[PrivatePostgreSQL]>([])
