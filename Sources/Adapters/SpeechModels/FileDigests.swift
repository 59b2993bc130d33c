import Crypto
import Foundation
import Glibc
import Synchronization

/// SHA-256 of files, each read once for as long as it does not change: its inode, size and times tell.
final class FileDigests: Sendable {
    private struct Stamp: Hashable {
        let device: UInt
        let inode: UInt
        let size: Int64
        let changed: [Int]

        init(_ status: stat) {
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            size = Int64(status.st_size)
            changed = [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    private static let pieceLength = 1 << 20

    private let known = Mutex<[String: (stamp: Stamp, digest: String)]>([:])

    /// Blocks while it reads. In hexadecimal; `nil` when it cannot be read.
    func digest(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let stamp = Stamp(status)
        if let known = known.withLock({ $0[path] }), known.stamp == stamp { return known.digest }
        var hash = SHA256()
        do {
            while let piece = try file.read(upToCount: Self.pieceLength), !piece.isEmpty { hash.update(data: piece) }
        } catch {
            return nil
        }
        let digest = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        known.withLock { $0[path] = (stamp, digest) }
        return digest
    }
}
