import Foundation

/// Held for as long as a service has the log open; the kernel drops it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let file: FileDescriptor

    /// - Throws: `StorageError` with `locked` when another process, or another storage of this one, holds it.
    init(_ directory: StateDirectory) throws {
        file = try directory.openFile(directory.lockPath)
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else {
                throw StorageError(errno: errno, doing: "lock", path: directory.lockPath)
            }
            throw StorageError(
                code: .locked,
                message: "Another service has the consent log in \(directory.path) open. End it, or use that one.")
        }
    }
}
