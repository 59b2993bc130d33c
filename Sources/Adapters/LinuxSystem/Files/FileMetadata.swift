import Glibc

/// What `fstat` says about an open file. Two equal values mean the same, unchanged file.
public struct FileMetadata: Sendable, Hashable {
    public let device: UInt64
    public let inode: UInt64
    /// Bytes.
    public let size: Int64
    public let owner: UInt32
    /// `st_mode`: type and permission bits.
    public let mode: UInt32
    public let linkCount: UInt64
    /// Nanoseconds since 1970.
    public let modifiedAt: Int64
    /// Nanoseconds since 1970; unlike `modifiedAt`, no program can set it.
    public let changedAt: Int64

    public init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        owner = status.st_uid
        mode = UInt32(status.st_mode)
        linkCount = UInt64(status.st_nlink)
        modifiedAt = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        changedAt = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }

    /// The file a path leads to, symbolic links followed.
    public init(path: String) throws(FileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.system(path, errno) }
        self.init(status)
    }

    /// The file behind an open descriptor. `path` is for the error alone.
    public init(descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError.system(path, errno) }
        self.init(status)
    }

    /// Whether it changed within the last 2 s by the kernel's clock. A second change within the same tick would leave the
    /// metadata as it is; so nothing about a fresh file is to be remembered.
    public var isFresh: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - changedAt
        return age <= 2_000_000_000
    }

    public var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    public var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    public var isWritableByGroup: Bool { mode & UInt32(S_IWGRP) != 0 }
    public var isWritableByAll: Bool { mode & UInt32(S_IWOTH) != 0 }
}
