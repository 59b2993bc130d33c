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
    /// - Returns: `nil` when there is none.
    /// - Throws: `StorageError`.
    func contents() throws -> Data? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw StateDirectory.notAFile(path)
            default: throw StorageError(errno: errno, doing: "read", path: path)
            }
        }
        let file = OwnedDescriptor(owning: descriptor)
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw StorageError(errno: errno, doing: "look at", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StateDirectory.notAFile(path) }
        try StateDirectory.requireOwner(status, path: path)
        guard status.st_mode & 0o077 == 0 else {
            throw StorageError(
                code: .cannotOpen,
                message: "Other users may read or write \(path). Run `chmod 600` on it; if somebody may have read the "
                    + "log's key, also make a new one with `voicegate audit checkpoint --rotate-key`.")
        }
        return try read(file.rawValue)
    }

    /// Durable when it returns; after an error the old file or the new one is there, as a whole.
    ///
    /// - Throws: `StorageError`.
    func replace(with data: Data) throws {
        let draft = path + ".new"
        // What an interrupted replacement left; the directory is the service's own.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, doing: "write", path: draft) }
        do {
            let file = OwnedDescriptor(owning: descriptor)
            try write(data, to: file.rawValue, draft)
            guard fsync(file.rawValue) == 0 else { throw StorageError(errno: errno, doing: "sync", path: draft) }
            guard rename(draft, path) == 0 else { throw StorageError(errno: errno, doing: "replace", path: path) }
        } catch {
            unlink(draft)
            throw error
        }
        try StateDirectory.sync(directory.path, O_DIRECTORY)
    }

    /// As `replace`, one after the other, on a thread of its own.
    func replaceInBackground(with data: Data) async throws {
        try await queue.run { try replace(with: data) }
    }

    private func read(_ descriptor: Int32) throws -> Data {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let start = filled
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(errno: errno, doing: "read", path: path) }
            if count == 0 { break }
            filled += count
        }
        guard filled <= limit else {
            throw StorageError(
                code: .corrupt, message: "\(path) is larger than it can be. Restore it from a backup.")
        }
        return Data(bytes.prefix(filled))
    }

    private func write(_ data: Data, to descriptor: Int32, _ path: String) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw StorageError(errno: errno, doing: "write", path: path) }
            rest = rest.dropFirst(count)
        }
    }
}
