import Foundation
import SocketAPI

/// Starts the service where none runs, once, however many commands find it missing at the same time.
struct ServiceStarter: Sendable {
    let socketPath: String
    let paths: ServicePaths

    /// Returns when the service listens.
    ///
    /// - Parameter isRunning: asks whether it runs by now, because another command may have started it meanwhile.
    func start(unless isRunning: @Sendable () async -> Bool) async throws {
        try SocketPath.check(socketPath)
        let directory = SocketPath.directory(of: socketPath)
        if access(directory, F_OK) != 0 { try PrivateDirectory.make(directory) }
        try PrivateDirectory.make(paths.stateDirectory)
        let program = try ServiceProgram.find()
        let lock = try await Blocking.run { try StartLock(directory: directory) }
        // Held until the service listens; whoever waited for it then finds it running.
        defer { lock.release() }
        if await isRunning() { return }
        let logStart = Self.size(of: paths.log)
        let socketPath = socketPath
        let log = paths.log
        let isReady = try await Blocking.run {
            let process = try ServiceProcess(program: program, socketPath: socketPath, log: log)
            return process.waitUntilReady()
        }
        if isReady { return }
        // One that was started by hand holds the socket.
        if await isRunning() { return }
        let words = lastWords(from: logStart)
        throw CommandError(
            .cannotStart, .unavailable,
            "The VoiceGate service could not be started. "
                + (words.isEmpty ? "It left no message in \(log)." : "Its last words (\(log)):\n\(words)"))
    }

    /// What the service wrote since it was started, the end of it.
    private func lastWords(from start: UInt64) -> String {
        guard let file = FileHandle(forReadingAtPath: paths.log) else { return "" }
        defer { try? file.close() }
        let end = (try? file.seekToEnd()) ?? 0
        let mostBytes: UInt64 = 4_096
        guard end > start, (try? file.seek(toOffset: max(start, end - min(end, mostBytes)))) != nil else { return "" }
        let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").suffix(5).map { "  " + $0 }.joined(separator: "\n")
    }

    private static func size(of path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_size) : 0
    }
}
