import AuditExport
import Base
import Cryptography
import Foundation
import Glibc
import LinuxSystem

/// The folder of a bundle. Opens only regular files in it, and follows no links.
final class BundleFolder {
    private let folder: OwnedDescriptor

    /// - Throws: `BundleProblem` with `readable`.
    init(path: String) throws(BundleProblem) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try require(descriptor >= 0, .readable, "\(path) cannot be opened as a folder: \(Self.reason(errno))")
        folder = OwnedDescriptor(owning: descriptor)
    }

    /// Opens a file for reading.
    ///
    /// - Throws: `BundleProblem` with `regularFiles`, `names`, `required`, `sizes` or `readable`.
    func open(_ path: String) throws(BundleProblem) -> BundleFile {
        guard BundleLayout.isFile(path) else { throw Self.unknown(path) }
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2 else { return try open(path, in: folder.rawValue, path) }
        let inner = OwnedDescriptor(owning: try descriptor(parts[0], in: folder.rawValue, O_DIRECTORY, path))
        return try open(parts[1], in: inner.rawValue, path)
    }

    /// Calls `body` with the path of each file, in any order.
    ///
    /// - Throws: `BundleProblem` for an entry that a bundle cannot have.
    func forEachFile(_ body: (String) throws(BundleProblem) -> Void) throws(BundleProblem) {
        var folders: [String] = []
        try forEachEntry(of: folder.rawValue, "") { name, status throws(BundleProblem) in
            guard status.st_mode & S_IFMT == S_IFDIR else { return try body(Self.checked(name, status)) }
            guard BundleLayout.Folder(rawValue: name) != nil else { throw Self.unknown(name) }
            folders.append(name)
        }
        for name in folders {
            let inner = OwnedDescriptor(owning: try descriptor(name, in: folder.rawValue, O_DIRECTORY, name))
            try forEachEntry(of: inner.rawValue, name + "/") { file, status throws(BundleProblem) in
                let path = name + "/" + file
                try require(status.st_mode & S_IFMT == S_IFREG, .regularFiles, file: path, "it is not a regular file")
                try body(Self.checked(path, status))
            }
        }
    }

    private static func checked(_ path: String, _ status: stat) throws(BundleProblem) -> String {
        guard BundleLayout.isFile(path) else { throw unknown(path) }
        try require(
            status.st_size <= BundleLayout.limit(of: path), .sizes, file: path, "it is larger than such a file can be")
        return path
    }

    private static func unknown(_ path: String) -> BundleProblem {
        BundleProblem(.names, file: path, "a bundle has no file or folder of this name")
    }

    private func open(_ name: String, in folder: Int32, _ path: String) throws(BundleProblem) -> BundleFile {
        let file = OwnedDescriptor(owning: try descriptor(name, in: folder, O_NONBLOCK | O_NOCTTY, path))
        var status = stat()
        try require(
            fstat(file.rawValue, &status) == 0, .readable, file: path, "it cannot be read: \(Self.reason(errno))")
        try require(status.st_mode & S_IFMT == S_IFREG, .regularFiles, file: path, "it is not a regular file")
        return BundleFile(path: path, descriptor: file)
    }

    private func descriptor(_ name: String, in folder: Int32, _ flags: Int32, _ path: String)
        throws(BundleProblem) -> Int32
    {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw BundleProblem(.required, file: path, "the file is missing")
            case ELOOP, ENOTDIR: throw BundleProblem(.regularFiles, file: path, "the path contains a link")
            default: throw BundleProblem(.readable, file: path, "it cannot be read: \(Self.reason(errno))")
            }
        }
        return descriptor
    }

    private func forEachEntry(
        of folder: Int32, _ prefix: String, _ body: (String, stat) throws(BundleProblem) -> Void
    ) throws(BundleProblem) {
        // fdopendir takes ownership of its descriptor, and a duplicate would share the reading position.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            let number = errno
            if own >= 0 { close(own) }
            throw BundleProblem(.readable, file: prefix, "it cannot be listed: \(Self.reason(number))")
        }
        defer { closedir(stream) }
        while let name = Folder.next(stream) {
            var status = stat()
            guard fstatat(own, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw BundleProblem(.readable, file: prefix + name, "it cannot be listed: \(Self.reason(errno))")
            }
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
                throw BundleProblem(.regularFiles, file: prefix + name, "it is a link, a pipe or a device")
            }
            try body(name, status)
        }
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// An open file of a bundle, read once in pieces.
final class BundleFile {
    private static let pieceSize = 64 * 1024

    let path: String
    private let descriptor: OwnedDescriptor

    init(path: String, descriptor: consuming OwnedDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// - Returns: empty at the end of the file.
    func piece() throws(BundleProblem) -> Data {
        var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        while true {
            let count = read(descriptor.rawValue, &bytes, bytes.count)
            if count >= 0 { return Data(bytes.prefix(count)) }
            try require(errno == EINTR, .readable, file: path, "it cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    /// A file that the layout limits to what memory can hold.
    func contents() throws(BundleProblem) -> Data {
        let limit = BundleLayout.limit(of: path)
        var data = Data()
        while true {
            let piece = try piece()
            if piece.isEmpty { return data }
            data.append(piece)
            try require(data.count <= limit, .sizes, file: path, "it is larger than \(limit / 1024) KiB")
        }
    }

    /// The SHA-256 of the contents in lower-case hexadecimal.
    func digest() throws(BundleProblem) -> String {
        var hash = SHA256()
        while true {
            let piece = try piece()
            if piece.isEmpty { return Hexadecimal.encode(hash.finalize()) }
            hash.update(data: piece)
        }
    }
}
