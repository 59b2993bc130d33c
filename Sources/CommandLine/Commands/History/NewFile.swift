import Foundation
import Glibc

/// A file that was not there, for its owner alone.
final class NewFile {
    private let path: String
    private let handle: FileHandle

    init(path: String) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let advice =
                errno == EEXIST ? "It is there already; choose another name." : String(cString: strerror(errno))
            throw CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be made: \(advice)")
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Takes away half of a file.
    func remove() { unlink(path) }
}
