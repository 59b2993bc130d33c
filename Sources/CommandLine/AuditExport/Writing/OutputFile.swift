import Consent
import Crypto
import Foundation
import Glibc

/// A file that is written from its beginning to its end, and the SHA-256 of what was written.
final class OutputFile {
    private static let bufferSize = 1 << 16

    private let descriptor: CInt
    private let isOwned: Bool
    private let path: String
    private var buffer: [UInt8] = []
    private var hash = SHA256()
    private var isOpen = true

    /// Standard output; never closed.
    init(standardOutput: CInt) {
        descriptor = standardOutput
        isOwned = false
        path = "The output"
    }

    /// A new file that only its owner may read.
    ///
    /// - Throws: `ExportError` with `exists` or `cannotWrite`.
    init(creating path: String) throws(ExportError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        isOwned = true
        self.path = path
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotWrite(path, errno)
        }
    }

    deinit { if isOwned, isOpen, descriptor >= 0 { close(descriptor) } }

    func write(_ text: String) throws(ExportError) {
        guard !text.isEmpty else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func write(_ data: Data) throws(ExportError) {
        buffer.append(contentsOf: data)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes the rest and closes a file; `PartialPath` sees to the disk.
    ///
    /// - Returns: the SHA-256 in hexadecimal.
    func finish() throws(ExportError) -> String {
        try flush()
        if isOwned {
            isOpen = false
            guard close(descriptor) == 0 else { throw .cannotWrite(path, errno) }
        }
        return Hexadecimal.encode(hash.finalize())
    }

    private func flush() throws(ExportError) {
        hash.update(data: buffer)
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]).baseAddress, bytes.count - written)
            }
            let number = count < 0 ? errno : 0
            switch number {
            case 0: written += count
            case EINTR: continue
            case EAGAIN:
                // A descriptor that another program made non-blocking.
                var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&state, 1, -1)
            case EPIPE: throw ExportError(.outputClosed, "Nobody reads the output any more.")
            default: throw .cannotWrite(path, number)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
