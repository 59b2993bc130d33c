import Foundation

/// Copies the folder of a backup, all of it or nothing, and makes it durable.
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
                .cannotWrite, .cannotWrite,
                "The backup could not be copied from \(source) to \(target): \(error.localizedDescription) Nothing was "
                    + "left there. In enforced mode, run this as root.")
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
