import Crypto
import Foundation
import Glibc
import Synchronization

/// SHA-256 of programs, remembered for as long as their files do not change.
public final class ExecutableDigests: Sendable {
    private let known = Mutex<[FileMetadata: String]>([:])
    private let capacity = 128

    public init() {}

    /// Number of files whose bytes were read so far.
    var readings: Int { count.withLock { $0 } }
    private let count = Mutex(0)

    /// Reads the file through, unless it is known. Blocks for about a millisecond a megabyte.
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
        return Hexadecimal.text(hash.finalize())
    }
}
