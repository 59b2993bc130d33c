import Foundation
import Glibc
import TestSupport

/// A file system in a file, mounted as long as the value exists, of which every block can be searched.
public final class DiskImage: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case ext4
        case xfs

        /// Bytes; the least that mkfs accepts without further options, rounded up. Most of them take no room.
        fileprivate var size: off_t { self == .xfs ? 320 << 20 : 32 << 20 }
    }

    public struct Failure: Error {
        public let command: [String]
    }

    /// The root folder of the file system.
    public let path: String
    private let folder: TemporaryFolder
    private let image: String

    public init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        (path, image) = (folder.path + "/disk", folder.path + "/image")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        _ = FileManager.default.createFile(atPath: image, contents: nil)
        truncate(image, kind.size)
        for command in [
            ["/usr/sbin/mkfs.\(kind.rawValue)", "-q", image], ["/usr/bin/mount", "-o", "loop", image, path],
        ] {
            guard Self.run(command) else { throw Failure(command: command) }
        }
        chmod(path, 0o700)
    }

    /// A service that was killed may still have files open; the last one that closes frees the device.
    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Whether this machine can mount all kinds: it takes root, loop devices, e2fsprogs and xfsprogs.
    public static let isAvailable = geteuid() == 0 && Kind.allCases.allSatisfy { (try? DiskImage($0)) != nil }

    /// Which of the names' bytes are anywhere in the image: in files, in free blocks, or in the file system's own.
    public func names<Name: Hashable>(of bytes: [Name: Data]) throws -> Set<Name> {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: image))
        defer { try? handle.close() }
        var found: Set<Name> = []
        // SEEK_DATA and SEEK_HOLE (lseek(2)), which Swift does not import.
        let (data, hole): (Int32, Int32) = (3, 4)
        var end: off_t = 0
        while case let start = lseek(handle.fileDescriptor, end, data), start >= 0 {
            end = lseek(handle.fileDescriptor, start, hole)
            lseek(handle.fileDescriptor, start, SEEK_SET)
            guard let piece = try handle.read(upToCount: Int(end - start)) else { break }
            for (name, bytes) in bytes where !found.contains(name) && piece.holds(bytes) { found.insert(name) }
        }
        return found
    }

    /// Writes what the file system has not written yet.
    public func sync() throws {
        let command = ["/usr/bin/sync", "--file-system", path]
        guard Self.run(command) else { throw Failure(command: command) }
    }

    private static func run(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension Data {
    /// `range(of:)` takes seconds for the bytes of a disk.
    fileprivate func holds(_ bytes: Data) -> Bool {
        withUnsafeBytes { (all: UnsafeRawBufferPointer) -> Bool in
            bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
                guard let start = all.baseAddress, let first = bytes.first, let wanted = bytes.baseAddress else {
                    return false
                }
                var offset = 0
                while offset + bytes.count <= all.count {
                    guard let next = memchr(start + offset, Int32(first), all.count - bytes.count + 1 - offset) else {
                        return false
                    }
                    if memcmp(next, wanted, bytes.count) == 0 { return true }
                    offset = UnsafeRawPointer(next) - start + 1
                }
                return false
            }
        }
    }
}
