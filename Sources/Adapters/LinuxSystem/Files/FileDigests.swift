import Base
import Cryptography
import Glibc
import Synchronization

/// SHA-256 of files, cached until they change.
public final class FileDigests: Sendable {
    private struct Cache {
        var digests: [FileMetadata: (digest: String, used: UInt64)] = [:]
        var uses: UInt64 = 0

        mutating func digest(of file: FileMetadata) -> String? {
            uses += 1
            digests[file]?.used = uses
            return digests[file]?.digest
        }
    }

    private let cache = Mutex(Cache())
    private let capacity: Int

    /// - Parameter capacity: the most digests that are cached; the most recently used half survives when there are more.
    public init(capacity: Int = 1024) { self.capacity = capacity }

    /// The number of files that were read so far.
    var readings: Int { count.withLock { $0 } }
    private let count = Mutex(0)

    /// As `sha256(of:metadata:)`, for a regular file; `nil` for anything else, which is not waited for.
    public func sha256(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = OwnedDescriptor(owning: number)
        guard let metadata = try? FileMetadata(descriptor: number, path: path), metadata.isRegularFile else {
            return nil
        }
        return sha256(of: descriptor.rawValue, metadata: metadata)
    }

    /// The digest, if it is cached.
    func known(_ metadata: FileMetadata) -> String? { cache.withLock { $0.digest(of: metadata) } }

    /// Reads the file unless its digest is cached. Blocks for about a millisecond a megabyte.
    ///
    /// A link that is made or removed, as by an upgrade, changes the time of the inode and not the bytes: the file is then
    /// read again.
    ///
    /// - Returns: lower-case hexadecimal, or `nil` when the file changed while it was read or could not be read.
    func sha256(of descriptor: Int32, metadata: FileMetadata) -> String? {
        if let digest = known(metadata) { return digest }
        var before = metadata
        for _ in 0..<2 {
            guard let digest = read(descriptor), let after = try? FileMetadata(descriptor: descriptor, path: "") else {
                return nil
            }
            if after == before {
                if !after.isFresh { keep(digest, of: after) }
                return digest
            }
            guard after.size == before.size, after.modifiedAt == before.modifiedAt else { return nil }
            before = after
        }
        return nil
    }

    private func keep(_ digest: String, of metadata: FileMetadata) {
        cache.withLock { cache in
            if cache.digests.count >= capacity {
                let oldest = cache.digests.sorted { $0.value.used < $1.value.used }.prefix((capacity + 1) / 2)
                for (file, _) in oldest { cache.digests[file] = nil }
            }
            cache.uses += 1
            cache.digests[metadata] = (digest, cache.uses)
        }
    }

    private func read(_ descriptor: Int32) -> String? {
        count.withLock { $0 += 1 }
        var hash = SHA256()
        var offset: off_t = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let length = pread(descriptor, &buffer, buffer.count, offset)
            if length < 0 && errno == EINTR { continue }
            guard length >= 0 else { return nil }
            if length == 0 { break }
            buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<length])) }
            offset += off_t(length)
        }
        return Hexadecimal.encode(hash.finalize())
    }
}
