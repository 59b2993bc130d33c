import Glibc

/// Which file is at a path.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// Does not follow a link.
    init(path: String) throws(StorageError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw StorageError(
                code: .cannotOpen, message: "\(path) is not there: \(String(cString: strerror(errno))).",
                underlyingCode: errno)
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
