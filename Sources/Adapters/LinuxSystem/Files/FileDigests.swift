import Authorization
import Crypto
import Glibc
import Synchronization

/// SHA-256 of files, cached until they change.
public final class FileDigests: Sendable {
    private let known = Mutex<[FileMetadata: String]>([:])
    private let capacity: Int

    /// - Parameter capacity: the most digests that are cached.
    public init(capacity: Int = 128) { self.capacity = capacity }

    /// The number of files that were read so far.
    var readings: Int { count.withLock { $0 } }
    private let count = Mutex(0)

    /// As `sha256(of:metadata:)`, for a path that is not a link.
    public func sha256(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = OwnedDescriptor(owning: number)
        guard let metadata = try? FileMetadata(descriptor: number, path: path) else { return nil }
        return sha256(of: descriptor.rawValue, metadata: metadata)
    }

    /// Reads the file unless its digest is cached. Blocks for about a millisecond a megabyte.
    ///
    /// - Returns: lower-case hexadecimal, or `nil` when the file changed while it was read or could not be read.
    func sha256(of descriptor: Int32, metadata: FileMetadata) -> String? {
        if let digest = known.withLock({ $0[metadata] }) { return digest }
        guard let digest = read(descriptor), (try? FileMetadata(descriptor: descriptor, path: "")) == metadata else {
            return nil
        }
        if !metadata.isFresh {
            known.withLock {
                if $0.count >= capacity { $0.removeAll() }
                $0[metadata] = digest
            }
        }
        return digest
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
