import Base
import Cryptography
import Foundation
import Glibc
import LinuxSystem

/// A file that is being written, with its SHA-256.
final class NewFile {
    private let path: String
    private let descriptor: OwnedDescriptor
    private var hash = SHA256()
    private(set) var bytes: Int64 = 0

    /// Makes its folder if that is missing.
    ///
    /// - Throws: `EngineInstallationError`, also if the file exists.
    init(_ path: String) throws {
        self.path = path
        var folder = (path as NSString).deletingLastPathComponent
        var missing: [String] = []
        while access(folder, F_OK) != 0, folder != "/", !folder.isEmpty {
            missing.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o755) == 0, chmod(folder, 0o755) == 0 else {
                throw EngineInstallationError.cannotWrite(folder, errno)
            }
        }
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw EngineInstallationError.cannotWrite(path, errno) }
        // Whatever the umask: the folder above decides who may read it.
        fchmod(number, 0o644)
        descriptor = OwnedDescriptor(owning: number)
    }

    var digest: String { Hexadecimal.encode(hash.finalize()) }

    func write(_ piece: ArraySlice<UInt8>) throws {
        try piece.withUnsafeBytes { bytes in
            hash.update(bufferPointer: bytes)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor.rawValue, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw EngineInstallationError.cannotWrite(path, errno) }
                rest = rest.dropFirst(count)
            }
        }
        bytes += Int64(piece.count)
    }
}
