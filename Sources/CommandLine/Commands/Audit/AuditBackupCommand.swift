import ArgumentParser
import Crypto
import Foundation
import SocketAPI

struct AuditBackupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the consent log, its key and all kept data while the service runs.",
        discussion: """
            The folder is created and must not exist. It contains the log's secret key and all records: protect it like \
            the log. In enforced mode only root can read it. The backup itself is recorded.
            To restore: stop the service, copy the folder's content into an empty state directory, and start the service.
            """)

    @Argument(help: .init("The new folder.", valueName: "folder"))
    var folder: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        guard access(folder, F_OK) != 0 else {
            throw CommandError(.cannotWrite, "\(folder) exists already. Choose another name.")
        }
        let service = try await context.client()
        var lines = try await service.auditBackup().makeAsyncIterator()
        guard let reply = try await lines.next() else { throw CommandError.serviceEnded }
        let copy = BackupCopy(source: reply.folder, target: folder)
        let digest = try await Blocking.run { try copy.make() }
        _ = try await service.auditExported(ExportRequest(format: "backup", sha256: digest, size: reply.records))
        withExtendedLifetime(lines) {}
        try context.output.result(
            BackupReply(folder: folder, records: reply.records),
            note: "\(folder): \(reply.records) records, SHA-256 of the database \(digest)")
    }
}

/// Copies the folder of a backup completely or not at all, durably.
struct BackupCopy: Sendable {
    let source: String
    let target: String

    /// Blocks.
    ///
    /// - Returns: SHA-256 of the database in the copy, lower-case hexadecimal.
    func make() throws -> String {
        let draft = target + ".part"
        do {
            try? FileManager.default.removeItem(atPath: draft)
            try FileManager.default.createDirectory(
                atPath: draft, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for name in try FileManager.default.subpathsOfDirectory(atPath: source) {
                try copy(name, to: draft)
            }
            let digest = try FileDigest.sha256(of: draft + "/consent.sqlite")
            try sync(draft)
            guard rename(draft, target) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let parent = (target as NSString).deletingLastPathComponent
            try sync(parent.isEmpty ? "." : parent)
            return digest
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw CommandError(
                .cannotWrite,
                "The backup cannot be copied from \(source) to \(target): \(error.localizedDescription) In enforced mode, "
                    + "run this command as root.")
        }
    }

    private func copy(_ name: String, to draft: String) throws {
        var status = stat()
        guard lstat(source + "/" + name, &status) == 0 else { throw POSIXError(.ENOENT) }
        let path = draft + "/" + name
        if status.st_mode & S_IFMT == S_IFDIR {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return
        }
        try FileManager.default.copyItem(atPath: source + "/" + name, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try sync(path)
    }

    private func sync(_ path: String) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(number) }
        guard fsync(number) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}

/// SHA-256 of a file of any size.
enum FileDigest {
    /// - Returns: lower-case hexadecimal.
    static func sha256(of path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(data: piece) }
        let digits = Array("0123456789abcdef")
        return String(hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
