import Crypto
import Foundation
import Glibc
import LinuxSystem

/// An open file of a bundle, read once from its beginning in pieces.
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

    /// All of it.
    ///
    /// - Parameter limit: bytes; one more is a problem.
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

    /// SHA-256 of all of it.
    func digest() throws(BundleProblem) -> Data {
        var hash = SHA256()
        while true {
            let piece = try piece()
            if piece.isEmpty { return Data(hash.finalize()) }
            hash.update(data: piece)
        }
    }
}
