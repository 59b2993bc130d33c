import ArgumentParser
import Base
import Cryptography
import Foundation
import LinuxSystem
import SocketAPI

struct AuditBackupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the consent log, its key and all kept data while the service runs.",
        discussion: """
            The folder is created and must not exist. It contains the log's secret key and all records: protect it like \
            the log. In enforced mode only root can read it. The backup itself is recorded.
            To restore: voicegate service stop, then voicegate audit restore FOLDER
            """)

    @Argument(help: .init("The new folder.", valueName: "folder"), completion: .directory)
    var folder: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try require(access(folder, F_OK) != 0, .cannotWrite, "\(folder) exists already. Choose another name.")
        let service = try await context.client()
        var lines = try await service.auditBackup().makeAsyncIterator()
        guard let reply = try await lines.next() else { throw CommandError.serviceEnded }
        let copy = BackupCopy(source: reply.folder, target: folder)
        let digest = try await Blocking.run { try copy.make() }
        withExtendedLifetime(lines) {}
        try require(
            digest == reply.sha256, .cannotWrite,
            "The database in \(folder) is not the one that was recorded. Back up again.")
        try context.output.result(
            BackupReply(folder: folder, records: reply.records, sha256: digest),
            note: "\(folder): \(reply.records) records, SHA-256 of the database \(digest)")
    }
}

/// Copies the folder of a backup completely or not at all, durably.
struct BackupCopy: Sendable {
    let source: String
    let target: String
    /// What messages call the target; `nil`: its path.
    var shown: String?

    /// Blocks.
    ///
    /// - Returns: SHA-256 of the database in the copy, lower-case hexadecimal.
    func make() throws -> String {
        let draft = target + ".part"
        do {
            try? FileManager.default.removeItem(atPath: draft)
            try Self.makeFolder(draft, withParents: false)
            for name in try FileManager.default.subpathsOfDirectory(atPath: source) {
                try copy(name, to: draft)
            }
            let digest = try Self.digest(of: draft + "/consent.sqlite")
            try Self.sync(draft)
            try Self.check(rename(draft, target))
            let parent = (target as NSString).deletingLastPathComponent
            try Self.sync(parent.isEmpty ? "." : parent)
            return digest
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw CommandError(
                .cannotWrite,
                "The backup cannot be copied from \(source) to \(shown ?? target): \(error.localizedDescription) In enforced mode, "
                    + "run this command as root.")
        }
    }

    private func copy(_ name: String, to draft: String) throws {
        let (path, target) = (source + "/" + name, draft + "/" + name)
        // Neither a link, which leads anywhere for root, nor a pipe, which is waited for.
        let reader = OwnedDescriptor(owning: open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        try Self.check(reader.rawValue)
        let metadata = try FileMetadata(descriptor: reader.rawValue, path: path)
        if metadata.isDirectory { return try Self.makeFolder(target, withParents: true) }
        guard metadata.isRegularFile else { throw POSIXError(.EINVAL) }
        let writer = OwnedDescriptor(owning: open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        try Self.check(writer.rawValue)
        while true {
            guard let piece = DescriptorBytes.read(1 << 20, from: reader.rawValue) else { throw Self.failure }
            if piece.isEmpty { break }
            guard DescriptorBytes.write(piece, to: writer.rawValue) else { throw Self.failure }
        }
        try Self.check(fsync(writer.rawValue))
    }

    private static func makeFolder(_ path: String, withParents: Bool) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: withParents, attributes: [.posixPermissions: 0o700])
    }

    private static func sync(_ path: String) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        try check(number)
        defer { close(number) }
        try check(fsync(number))
    }

    private static func check(_ result: CInt) throws {
        guard result >= 0 else { throw failure }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private static func digest(of path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(data: piece) }
        return Hexadecimal.encode(hash.finalize())
    }
}
