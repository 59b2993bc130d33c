import Foundation
import Glibc

/// Where a checkpoint is taken to.
enum Publication: Sendable, CustomStringConvertible {
    case file(String)
    case command(String)

    /// As it is recorded. Of a command only its first word: others may be passwords.
    var description: String {
        switch self {
        case .file(let path): "file " + URL(fileURLWithPath: path).path
        case .command(let command): "command " + (command.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    /// - Throws: `CommandError`; then nothing can be said about whether it arrived.
    func publish(_ note: Data) async throws {
        try await Blocking.run {
            switch self {
            case .file(let path): try Self.append(note, to: path)
            case .command(let command): try Self.run(command, input: note)
            }
        }
    }

    /// Durable when it returns.
    private static func append(_ note: Data, to path: String) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var rest = note[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure(path, errno) }
            rest = rest.dropFirst(count)
        }
        // A pipe or a terminal cannot be synced, and need not be.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failure(path, errno) }
    }

    private static func run(_ command: String, input: Data) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        let pipe = Pipe()
        shell.standardInput = pipe
        // Standard output is for the checkpoint alone.
        shell.standardOutput = FileHandle.standardError
        do {
            try shell.run()
        } catch {
            throw CommandError(.notPublished, .unavailable, "/bin/sh cannot be started, so nothing was published.")
        }
        // A command that reads nothing is not wrong for that; its exit code tells.
        try? pipe.fileHandleForWriting.write(contentsOf: input)
        try? pipe.fileHandleForWriting.close()
        shell.waitUntilExit()
        guard shell.terminationReason == .exit, shell.terminationStatus == 0 else {
            throw CommandError(
                .notPublished, .unavailable,
                "The command ended with \(shell.terminationStatus), so the checkpoint counts as not published.")
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .notPublished, .cannotWrite,
            "\(path) cannot be written, so the checkpoint is not published: \(String(cString: strerror(number))).")
    }
}
