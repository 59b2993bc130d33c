import CLinux
import Consent
import Foundation
import LinuxSystem
import SocketAPI

/// Starts the service once, even if several commands find it missing at the same time.
struct ServiceStarter: Sendable {
    let socketPath: String
    let paths: ServicePaths
    var arguments: LogStart.Options = []

    /// Returns when the service listens.
    ///
    /// - Parameter isRunning: whether another command has started it meanwhile.
    func start(unless isRunning: @Sendable () async -> Bool) async throws {
        try SocketPath.check(socketPath)
        let directory = SocketPath.directory(of: socketPath)
        if access(directory, F_OK) != 0 { try PrivateDirectory.make(directory) }
        try PrivateDirectory.make(paths.stateDirectory)
        let program = try ServiceProgram.find()
        let lock = try await Blocking.run { try StartLock(directory: directory) }
        // Held until the service listens; waiting commands then find it running.
        defer { withExtendedLifetime(lock) {} }
        if await isRunning() { return }
        let log = paths.log
        let logStart = (try? FileMetadata(path: log))?.size ?? 0
        let arguments = arguments.arguments.split(separator: " ").map(String.init)
        let failure = try await Blocking.run { try program.start(socketPath: socketPath, log: log, arguments) }
        guard let failure else { return }
        // A service started by hand has the socket.
        if await isRunning() { return }
        let messages = lastMessages(from: UInt64(logStart))
        throw CommandError(
            failure == .configuration ? .badConfiguration : .cannotStart, status: failure,
            "The VoiceGate service could not be started. "
                + (messages.isEmpty ? "It left no message in \(log)." : "Its last messages (\(log)):\n\(messages)"))
    }

    /// The end of what the service has logged since it was started.
    private func lastMessages(from start: UInt64) -> String {
        guard let file = FileHandle(forReadingAtPath: paths.log) else { return "" }
        defer { try? file.close() }
        let end = (try? file.seekToEnd()) ?? 0
        let mostBytes: UInt64 = 4_096
        guard end > start, (try? file.seek(toOffset: max(start, end - min(end, mostBytes)))) != nil else { return "" }
        let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").suffix(5).map { "  " + $0 }.joined(separator: "\n")
    }
}

/// The lock of the command that starts the service; released with the object.
private final class StartLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// Waits until no other command has it.
    init(directory: String) throws {
        let path = directory + "/start.lock"
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.cannotLock(path, errno) }
        descriptor = OwnedDescriptor(owning: number)
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.cannotLock(path, errno) }
        }
    }

    private static func cannotLock(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .cannotStart,
            "The VoiceGate service cannot be started, because \(path) cannot be locked: \(systemMessage(number)).")
    }
}
