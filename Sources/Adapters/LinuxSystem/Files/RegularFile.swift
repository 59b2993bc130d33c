import CLinux
import Foundation
import Glibc

/// A regular file, read as a whole within a limit. A pipe, a device or an endless file is refused without waiting.
public struct RegularFile: Sendable {
    public let path: String
    public let metadata: FileMetadata
    public let data: Data

    /// - Parameter limit: bytes; a longer file is an error, and never more than one byte beyond it is read.
    public init(path: String, limit: Int) throws(FileError) {
        // Before opening too: opening alone has effects on some devices.
        guard try FileMetadata(path: path).isRegularFile else { throw Self.notRegular(path) }
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw FileError.system(path, errno) }
        let descriptor = OwnedDescriptor(owning: number)
        let metadata = try FileMetadata(descriptor: descriptor.rawValue, path: path)
        guard metadata.isRegularFile else { throw Self.notRegular(path) }
        guard metadata.size <= limit else { throw Self.tooLarge(path, limit) }
        self.path = path
        self.metadata = metadata
        self.data = try Self.contents(of: descriptor.rawValue, path: path, limit: limit)
    }

    static func contents(of descriptor: Int32, path: String, limit: Int) throws(FileError) -> Data {
        guard let data = DescriptorBytes.read(limit + 1, from: descriptor) else {
            throw FileError.system(path, errno)
        }
        // The file has grown since its size was read.
        guard data.count <= limit else { throw tooLarge(path, limit) }
        return data
    }

    /// The text of a file that a person wrote, in UTF-8 with or without a byte order mark.
    ///
    /// - Throws: `notText` for another encoding, with what it is if that shows.
    public func text() throws(FileError) -> String {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            throw FileError(code: .notText, path: path, reason: "it is UTF-16; save it as UTF-8")
        }
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw FileError(code: .notText, path: path, reason: "it is not UTF-8; save it as UTF-8")
        }
        return text
    }

    /// The text of a file, invalid UTF-8 replaced; `nil` when it cannot be read.
    static func text(_ path: String, limit: Int) -> String? {
        (try? RegularFile(path: path, limit: limit)).map { String(decoding: $0.data, as: UTF8.self) }
    }

    private static func notRegular(_ path: String) -> FileError {
        FileError(code: .notRegular, path: path, reason: "it is not a regular file")
    }

    private static func tooLarge(_ path: String, _ limit: Int) -> FileError {
        FileError(code: .tooLarge, path: path, reason: "it is larger than \(limit / 1000) kB")
    }
}

/// A file descriptor with one owner, closed with it.
public struct OwnedDescriptor: ~Copyable, Sendable {
    public let rawValue: Int32

    /// Takes ownership of an open descriptor.
    public init(owning rawValue: Int32) { self.rawValue = rawValue }

    deinit { close(rawValue) }

    /// Passes the ownership to the caller, which closes the descriptor.
    public consuming func release() -> Int32 {
        let released = rawValue
        discard self
        return released
    }
}

/// The names in a folder.
public enum Folder {
    /// - Returns: names without `.` and `..`, sorted; at most `limit`, so that a huge folder costs no more than that.
    public static func names(in path: String, limit: Int) throws(FileError) -> [String] {
        guard let stream = opendir(path) else { throw FileError.system(path, errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let name = next(stream) { names.append(name) }
        return names.sorted()
    }

    /// The next name that is neither `.` nor `..`.
    public static func next(_ stream: OpaquePointer) -> String? {
        while let entry = readdir(stream) {
            // `d_name` is a zero-terminated array inside the entry, valid until the next readdir.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { return name }
        }
        return nil
    }
}

/// A file's metadata (stat(2)). Two equal values mean the same, unchanged file.
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

    /// Follows symbolic links.
    public init(path: String) throws(FileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.system(path, errno) }
        self.init(status)
    }

    /// As the kernel has it: the file server is not asked, except to find the path. Follows symbolic links.
    ///
    /// - Parameter folder: what a relative path begins at; an empty one is the file that this descriptor refers to.
    init(cached path: String, in folder: Int32 = AT_FDCWD) throws(FileError) {
        var status = vg_file_status()
        guard vg_file_status(folder, path, &status) == 0 else { throw FileError.system(path, errno) }
        (device, inode, linkCount, size) = (status.device, status.inode, status.links, status.size)
        (owner, mode) = (status.owner, status.mode)
        (modifiedAt, changedAt) = (status.modified_at, status.changed_at)
    }

    /// - Parameter path: for the error alone.
    public init(descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError.system(path, errno) }
        self.init(status)
    }

    /// Whether the file changed within the last 2 s. A second change within one tick of the kernel's clock would leave the
    /// metadata unchanged, so nothing about a fresh file may be cached.
    public var isFresh: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - changedAt
        return age <= 2_000_000_000
    }

    /// Whether it is the same file, which may have changed.
    func isSameFile(as other: FileMetadata) -> Bool { device == other.device && inode == other.inode }

    public var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
    public var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    public var isWritableByGroup: Bool { mode & UInt32(S_IWGRP) != 0 }
    public var isWritableByAll: Bool { mode & UInt32(S_IWOTH) != 0 }
}

/// Why a file could not be read.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        case missing
        case notAllowed
        /// A folder, pipe, socket or device.
        case notRegular
        case tooLarge
        /// Not UTF-8.
        case notText
        /// The file may be reached only after waiting, for a disk or a file server.
        case mayWait
        case failed
    }

    public let code: Code
    public let path: String
    /// What is wrong, as the end of a sentence about the file.
    public let reason: String

    public var description: String { "\(path): \(reason)." }

    /// The reason as its own sentence.
    public var sentence: String {
        let text = reason.prefix(1).uppercased() + reason.dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }

    static func system(_ path: String, _ number: Int32) -> FileError {
        switch number {
        case ENOENT, ENOTDIR: FileError(code: .missing, path: path, reason: "there is no such file")
        case EAGAIN: FileError(code: .mayWait, path: path, reason: "reading it may take time")
        case EACCES, EPERM: FileError(code: .notAllowed, path: path, reason: "reading it is not permitted")
        default: FileError(code: .failed, path: path, reason: "reading it failed: " + String(cString: strerror(number)))
        }
    }
}
