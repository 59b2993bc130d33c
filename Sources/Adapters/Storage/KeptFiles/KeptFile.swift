import Foundation
import Glibc
import LinuxSystem
import Retention

/// An open file of the folder, for one writer or one reader whose calls follow one another.
final class KeptFile: KeptOutput, KeptInput {
    private let descriptor: OwnedDescriptor
    private let name: String
    private let folder: KeptFileFolder

    init(_ descriptor: consuming OwnedDescriptor, name: String, folder: KeptFileFolder) {
        self.descriptor = descriptor
        self.name = name
        self.folder = folder
    }

    func write(_ bytes: Data) async throws {
        try await folder.run {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(self.descriptor.rawValue, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw RetentionError(errno: errno, doing: "write", path: self.name) }
                rest = rest.dropFirst(count)
            }
        }
    }

    func sync() async throws {
        try await folder.run {
            guard fsync(self.descriptor.rawValue) == 0 else {
                throw RetentionError(errno: errno, doing: "sync", path: self.name)
            }
            try self.folder.sync()
        }
    }

    func read(_ count: Int) async throws -> Data {
        try await folder.run {
            var bytes = Data(count: count)
            var filled = 0
            while filled < count {
                let got = bytes.withUnsafeMutableBytes { buffer in
                    Glibc.read(self.descriptor.rawValue, buffer.baseAddress?.advanced(by: filled), count - filled)
                }
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw RetentionError(errno: errno, doing: "read", path: self.name) }
                if got == 0 { break }
                filled += got
            }
            return bytes.prefix(filled)
        }
    }
}
