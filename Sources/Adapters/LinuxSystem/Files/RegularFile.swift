import Foundation
import Glibc

/// A small regular file, read as a whole. Neither a pipe, a device nor a file without end can hold up the reader.
public struct RegularFile: Sendable {
    public let path: String
    public let metadata: FileMetadata
    public let data: Data

    /// - Parameter limit: bytes; one byte more is an error, and no more than that is ever read.
    public init(path: String, limit: Int) throws(FileError) {
        // Asked before opening too: opening alone has effects on some devices.
        guard try FileMetadata(path: path).isRegularFile else { throw Self.notRegular(path) }
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw FileError.system(path, errno) }
        let descriptor = OwnedDescriptor(owning: number)
        let metadata = try FileMetadata(descriptor: descriptor.rawValue, path: path)
        guard metadata.isRegularFile else { throw Self.notRegular(path) }
        guard metadata.size <= limit else { throw Self.tooLarge(path, limit) }
        self.path = path
        self.metadata = metadata
        self.data = try Self.contents(of: descriptor.rawValue, path: path, limit: limit)
    }

    private static func contents(of descriptor: Int32, path: String, limit: Int) throws(FileError) -> Data {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let start = filled
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError.system(path, errno) }
            if count == 0 { break }
            filled += count
        }
        // The file may have grown since its size was asked.
        guard filled <= limit else { throw tooLarge(path, limit) }
        return Data(bytes.prefix(filled))
    }

    private static func notRegular(_ path: String) -> FileError {
        FileError(code: .notRegular, path: path, reason: "it is not a regular file")
    }

    private static func tooLarge(_ path: String, _ limit: Int) -> FileError {
        FileError(code: .tooLarge, path: path, reason: "it is larger than \(limit / 1000) kB")
    }
}
