import CLinux
import Foundation
import Glibc

/// Where an export is made before it is whole, beside where it is to be, and what becomes of it.
final class PartialPath {
    /// The final one.
    private let path: String
    let partial: String
    private var isOver = false

    /// - Throws: `ExportError` with `exists` when something is at the path already.
    init(for path: String) throws(ExportError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !Self.exists(path) else { throw .exists(path) }
        self.path = path
        let folder = (path as NSString).deletingLastPathComponent
        let name = ".\((path as NSString).lastPathComponent).\(getpid()).partial"
        partial = folder.isEmpty ? name : (folder as NSString).appendingPathComponent(name)
    }

    deinit { if !isOver { try? FileManager.default.removeItem(atPath: partial) } }

    /// A folder that only its owner may enter.
    func makeFolder() throws(ExportError) {
        guard mkdir(partial, 0o700) == 0 else { throw .cannotWrite(partial, errno) }
    }

    /// Gives it its name, which is there for the first time and on the disk then.
    func complete() throws(ExportError) {
        guard !Self.exists(path) else { throw .exists(path) }
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
        defer { close(descriptor) }
        // Once for all files of a bundle, of which there may be very many.
        guard vg_sync_files(descriptor) == 0 else { throw .cannotWrite(path, errno) }
        guard vg_rename_new(partial, path) == 0 || errno == EINVAL && rename(partial, path) == 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotWrite(path, errno)
        }
        isOver = true
        fsync(descriptor)
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
