import Authorization
import Crypto
import Foundation
import Glibc
import LinuxSystem

/// The folder of a bundle. Opens only regular files in it, and follows no links.
final class BundleFolder {
    private let folder: OwnedDescriptor

    /// - Throws: `BundleProblem` with `unreadable`.
    init(path: String) throws(BundleProblem) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw BundleProblem(.unreadable, "\(path) cannot be opened as a folder: \(Self.reason(errno))")
        }
        folder = OwnedDescriptor(owning: descriptor)
    }

    /// Opens a file for reading.
    ///
    /// - Throws: `BundleProblem` with `unsafeFile`, `fileMissing`, `tooLarge` or `unreadable`.
    func open(_ path: String) throws(BundleProblem) -> BundleFile {
        guard BundleLayout.isSafe(path) else {
            throw BundleProblem(.unsafeFile, file: path, "it is not a valid file name in a bundle")
        }
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2 else { return try open(path, in: folder.rawValue, path) }
        let inner = OwnedDescriptor(owning: try descriptor(parts[0], in: folder.rawValue, O_DIRECTORY, path))
        return try open(parts[1], in: inner.rawValue, path)
    }

    /// Calls `body` with the path of each file in the folder and its subfolders, in any order.
    ///
    /// - Throws: `BundleProblem` for an entry that is neither a file nor a folder of files.
    func forEachFile(_ body: (String) -> Void) throws(BundleProblem) {
        var folders: [String] = []
        try forEachEntry(of: folder.rawValue, ".") { name, isFolder in
            if isFolder { folders.append(name) } else { body(name) }
            return folders.count <= 100
        }
        for name in folders {
            let inner = OwnedDescriptor(owning: try descriptor(name, in: folder.rawValue, O_DIRECTORY, name))
            try forEachEntry(of: inner.rawValue, name) { file, isFolder in
                if !isFolder { body(name + "/" + file) }
                return !isFolder
            }
        }
    }

    private func open(_ name: String, in folder: Int32, _ path: String) throws(BundleProblem) -> BundleFile {
        let file = OwnedDescriptor(owning: try descriptor(name, in: folder, O_NONBLOCK | O_NOCTTY, path))
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw BundleProblem(.unreadable, file: path, "it cannot be read: \(Self.reason(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw BundleProblem(.unsafeFile, file: path, "it is not a regular file")
        }
        guard Int64(status.st_size) <= BundleLayout.maximumFile else {
            throw BundleProblem(.tooLarge, file: path, "it is larger than any file of a bundle")
        }
        return BundleFile(path: path, descriptor: file)
    }

    private func descriptor(_ name: String, in folder: Int32, _ flags: Int32, _ path: String)
        throws(BundleProblem) -> Int32
    {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw BundleProblem(.fileMissing, file: path, "the file is missing")
            case ELOOP, ENOTDIR: throw BundleProblem(.unsafeFile, file: path, "the path contains a link")
            default: throw BundleProblem(.unreadable, file: path, "it cannot be read: \(Self.reason(errno))")
            }
        }
        return descriptor
    }

    /// - Parameter body: called with each name and whether it is a folder; returns whether a bundle may have this entry.
    private func forEachEntry(of folder: Int32, _ path: String, _ body: (String, Bool) -> Bool) throws(BundleProblem) {
        // fdopendir takes ownership of its descriptor, and a duplicate would share the reading position.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            let number = errno
            if own >= 0 { close(own) }
            throw BundleProblem(.unreadable, file: path, "it cannot be listed: \(Self.reason(number))")
        }
        defer { closedir(stream) }
        while let name = Folder.next(stream) {
            var status = stat()
            guard fstatat(own, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw BundleProblem(.unreadable, file: path, "it cannot be listed: \(Self.reason(errno))")
            }
            let type = status.st_mode & S_IFMT
            let shown = path == "." ? name : path + "/" + name
            guard type == S_IFREG || type == S_IFDIR else {
                throw BundleProblem(.unsafeFile, file: shown, "it is a link or a device")
            }
            guard body(name, type == S_IFDIR) else {
                throw BundleProblem(.unsafeFile, file: shown, "a bundle has no such folder")
            }
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
            guard errno == EINTR else {
                throw BundleProblem(
                    .unreadable, file: path, "it cannot be read: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// - Parameter limit: the maximum number of bytes.
    func contents(limit: Int) throws(BundleProblem) -> Data {
        var data = Data()
        while true {
            let piece = try piece()
            if piece.isEmpty { return data }
            data.append(piece)
            guard data.count <= limit else {
                throw BundleProblem(.tooLarge, file: path, "it is larger than \(limit / 1024) KiB")
            }
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

/// Compares two sets of paths in constant memory, by the sum of a keyed hash of each path. The key is random for each check,
/// so that a bundle cannot be made with paths whose sums are equal.
struct PathFingerprint: Equatable {
    let key: SymmetricKey
    private(set) var lanes = SIMD4<UInt64>(repeating: 0)

    mutating func add(_ path: String) {
        let code = HMAC<SHA256>.authenticationCode(for: Data(path.utf8), using: key)
        var words = SIMD4<UInt64>()
        for (position, byte) in code.enumerated() {
            words[position / 8] = words[position / 8] << 8 | UInt64(byte)
        }
        lanes &+= words
    }
}
