import Foundation
import Glibc
import LinuxSystem

/// A bundle's folder. Nothing is opened but regular files in it, and no link is followed.
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
            throw BundleProblem(.unsafeFile, file: path, "it is no name that a file of a bundle has")
        }
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2 else { return try open(path, in: folder.rawValue, path) }
        let inner = OwnedDescriptor(owning: try descriptor(parts[0], in: folder.rawValue, O_DIRECTORY, path))
        return try open(parts[1], in: inner.rawValue, path)
    }

    /// Hands on the paths of all files in the folder and in the folders in it, in any order.
    ///
    /// - Throws: `BundleProblem` at anything that is neither a file nor a folder with files.
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
            case ENOENT: throw BundleProblem(.fileMissing, file: path, "it is not there")
            case ELOOP, ENOTDIR: throw BundleProblem(.unsafeFile, file: path, "it is, or is behind, a link")
            default: throw BundleProblem(.unreadable, file: path, "it cannot be read: \(Self.reason(errno))")
            }
        }
        return descriptor
    }

    /// - Parameter body: gets names without `.` and `..`; false says that the bundle has no such entry.
    private func forEachEntry(of folder: Int32, _ path: String, _ body: (String, Bool) -> Bool) throws(BundleProblem) {
        // fdopendir takes its descriptor over, and one made by dup would share the reading position.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            let number = errno
            if own >= 0 { close(own) }
            throw BundleProblem(.unreadable, file: path, "it cannot be listed: \(Self.reason(number))")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // `d_name` is a zero-terminated array inside the entry, good until the next readdir.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
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
