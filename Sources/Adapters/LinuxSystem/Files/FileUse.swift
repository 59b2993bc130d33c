import CLinux
import Glibc

/// What may be done with files that a caller chose. A file server that does not answer keeps a thread that waits for it, so only
/// `cached` is allowed on the threads of Swift's tasks and of connections; the others belong to `UserTurns`.
enum FileUse: Int, Comparable, Sendable {
    /// What the kernel has in memory; never waits.
    case cached
    /// Opening files, and reading short ones and the memory of processes.
    case small
    /// Reading whole programs.
    case whole

    static func < (one: FileUse, other: FileUse) -> Bool { one.rawValue < other.rawValue }

    /// Follows symbolic links.
    ///
    /// - Throws: `mayWait` if this use must not wait and would.
    func metadata(of path: String) throws(FileError) -> FileMetadata {
        guard self == .cached else { return try FileMetadata(path: path) }
        let file = try reference(to: path)
        return try metadata(of: file)
    }

    /// Of an open file.
    func metadata(of descriptor: borrowing OwnedDescriptor) throws(FileError) -> FileMetadata {
        guard self == .cached else { return try FileMetadata(descriptor: descriptor.rawValue, path: "") }
        return try FileMetadata(cached: "", in: descriptor.rawValue)
    }

    /// Opens a file as a reference only, which cannot be read.
    ///
    /// - Parameters:
    ///   - folder: what a relative path begins at.
    ///   - follow: whether a link at the end is followed.
    /// - Throws: `mayWait` if this use must not wait and would.
    func reference(
        to path: String, in folder: Int32 = AT_FDCWD, following follow: Bool = true
    ) throws(FileError) -> OwnedDescriptor {
        let number =
            self == .cached ? vg_open_cached(folder, path, follow) : vg_open_reference(folder, path, follow)
        guard number >= 0 else { throw FileError.system(path, errno) }
        return OwnedDescriptor(owning: number)
    }

    /// - Throws: `notRead` if less than this use is allowed.
    func require(_ use: FileUse) throws(ProcessError) {
        guard self >= use else {
            throw ProcessError(code: .notRead, message: "A file of the program has not been read yet.")
        }
    }
}
