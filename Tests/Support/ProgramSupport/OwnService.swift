import Foundation
import TestSupport

/// Folders of a user without a service, so that the command line starts one.
public struct OwnService: Sendable {
    public let folder: TemporaryFolder
    public let environment: [String: String]
    public var socket: String { folder.path + "/run/voicegate/voicegate.sock" }
    public var log: String { folder.path + "/state/voicegate/voicegated.log" }

    public init() throws {
        folder = try TemporaryFolder()
        for name in ["/run", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + name, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "XDG_RUNTIME_DIR": folder.path + "/run",
            "XDG_STATE_HOME": folder.path + "/state", "XDG_CONFIG_HOME": folder.path + "/config",
        ]
    }

    /// The process of the service, by its own word; `nil` where none answers.
    public func process() async throws -> Int32? {
        let health = try RunningProgram(
            [Programs.curl, "-s", "--unix-socket", socket, "http://voicegate/v1/health"], environment: environment)
        await health.end()
        let reply = try? JSONSerialization.jsonObject(with: Data(health.lines.joined().utf8)) as? [String: Any]
        return (reply?["processIdentifier"] as? Int).map(Int32.init)
    }

    /// Ends the service that the test started, also when the test fails.
    public func ending(_ test: () async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await test()) } catch { result = .failure(error) }
        if let process = try await self.process() {
            kill(process, SIGTERM)
            try await eventually { Self.program(of: process) == nil }
        }
        try result.get()
    }

    /// `nil` for a process that has ended; a zombie has no program either.
    public static func program(of process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    /// The services that were told to use this test's socket.
    public var processes: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return Self.program(of: process) == Programs.service
                && String(decoding: words, as: UTF8.self).contains(socket)
        }
    }
}
