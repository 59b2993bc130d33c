import Dispatch
import Foundation
import LinuxSystem

/// A small file beside the log that is replaced atomically: written under another name, synced and renamed.
///
/// Its methods block, but for `replaceInBackground`.
struct DurableFile: Sendable {
    private let directory: StateDirectory
    private let name: String
    /// Bytes; what is larger is not read.
    private let limit: Int
    private let queue: DispatchQueue

    init(_ directory: StateDirectory, name: String, limit: Int) {
        self.directory = directory
        self.name = name
        self.limit = limit
        queue = DispatchQueue(label: "voicegate.\(name)")
    }

    var path: String { directory.path + "/" + name }

    /// Refuses symbolic links, and files that another user owns or may read.
    ///
    /// - Parameter onOpening: called whenever the file was opened and nothing was read yet; for tests.
    /// - Returns: `nil` when there is none.
    /// - Throws: `StorageError`.
    func contents(onOpening: () throws -> Void = {}) throws -> Data? {
        while true {
            guard let (data, isCurrent) = try contentsOnce(onOpening) else { return nil }
            if isCurrent { return data }
        }
    }

    /// - Returns: what was read, and whether that file is still in its place.
    private func contentsOnce(_ onOpening: () throws -> Void) throws -> (data: Data, isCurrent: Bool)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw StateDirectory.notAFile(path)
            default: throw StorageError(errno: errno, doing: "read", path: path)
            }
        }
        let file = OwnedDescriptor(owning: descriptor)
        let status = try status(of: file)
        try StateDirectory.requireOwner(status, path: path)
        guard status.st_mode & 0o077 == 0 else {
            throw StorageError(
                code: .cannotOpen,
                message: "Other users may read or write \(path). Run `chmod 600` on it; if somebody may have read the "
                    + "log's key, also make a new one with `voicegate audit checkpoint --rotate-key`.")
        }
        try onOpening()
        let data = try read(file.rawValue)
        // A file that is replaced meanwhile is overwritten, but not before the other one is in its place. While this one is open,
        // no other gets its inode.
        return (data, (try? FileIdentity(path: path)) == FileIdentity(status))
    }

    /// - Throws: `StorageError`; `cannotOpen` if it is not a regular file.
    private func status(of file: borrowing OwnedDescriptor) throws -> stat {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw StorageError(errno: errno, doing: "look at", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StateDirectory.notAFile(path) }
        return status
    }

    /// Durable when it returns; after an error the old file or the new one is there, as a whole.
    ///
    /// - Parameters:
    ///   - data: the new content.
    ///   - wiping: whether the old content is overwritten then, which else stays in free blocks of the disk. What cannot be
    ///     overwritten, or has another name, where it would be destroyed, is not replaced.
    /// - Throws: `StorageError`.
    func replace(with data: Data, wiping: Bool = false) throws {
        let draft = path + ".new"
        // What an interrupted replacement left; the directory is the service's own.
        if wiping, let left = try? openAlone(draft) { try? Self.wipe(left.rawValue, path: draft) }
        unlink(draft)
        let old = wiping ? try openAlone(path) : nil
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, doing: "write", path: draft) }
        do {
            let file = OwnedDescriptor(owning: descriptor)
            guard DescriptorBytes.write(data, to: file.rawValue) else {
                throw StorageError(errno: errno, doing: "write", path: draft)
            }
            guard fsync(file.rawValue) == 0 else { throw StorageError(errno: errno, doing: "sync", path: draft) }
            guard rename(draft, path) == 0 else { throw StorageError(errno: errno, doing: "replace", path: path) }
        } catch {
            unlink(draft)
            throw error
        }
        try StateDirectory.sync(directory.path, O_DIRECTORY)
        if let old { try Self.wipe(old.rawValue, path: path) }
    }

    /// Opens a regular file for overwriting.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: `StorageError`; `notWritable` if it has another name.
    private func openAlone(_ path: String) throws -> OwnedDescriptor? {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw StateDirectory.notAFile(path)
            default: throw StorageError(errno: errno, doing: "overwrite", path: path)
            }
        }
        let file = OwnedDescriptor(owning: descriptor)
        guard try status(of: file).st_nlink == 1 else {
            throw StorageError(
                code: .notWritable,
                message: "\(path) has another name, a hard link, under which its content would be destroyed. Put a "
                    + "copy in place of that name, or remove it.")
        }
        return file
    }

    /// As `replace`, one after the other, on its own thread.
    func replaceInBackground(with data: Data, wiping: Bool = false) async throws {
        try await queue.run { try replace(with: data, wiping: wiping) }
    }

    /// Overwrites an open file's blocks with zeros, durably. Blocks.
    ///
    /// - Throws: `StorageError`.
    static func wipe(_ descriptor: Int32, path: String) throws {
        let piece = 1 << 20
        var status = stat()
        guard fstat(descriptor, &status) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw StorageError(errno: errno, doing: "overwrite", path: path)
        }
        for start in stride(from: 0, to: Int(status.st_size), by: piece) {
            let zeros = Data(count: min(piece, Int(status.st_size) - start))
            guard DescriptorBytes.write(zeros, to: descriptor) else {
                throw StorageError(errno: errno, doing: "overwrite", path: path)
            }
        }
        guard fdatasync(descriptor) == 0 else { throw StorageError(errno: errno, doing: "sync", path: path) }
    }

    private func read(_ descriptor: Int32) throws -> Data {
        guard let data = DescriptorBytes.read(limit + 1, from: descriptor) else {
            throw StorageError(errno: errno, doing: "read", path: path)
        }
        guard data.count <= limit else {
            throw StorageError(
                code: .corrupt, message: "\(path) is larger than it can be. Restore it from a backup.")
        }
        return data
    }
}
