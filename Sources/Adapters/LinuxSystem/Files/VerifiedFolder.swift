import Authorization
import Base
import Foundation
import Glibc

/// The files of a folder that is used only with the right digests: regular files, at most two folders down. A model or an engine.
/// Everything blocks.
public struct VerifiedFolder: Sendable {
    public static let mostFiles = 200
    public static let largestTotal: Int64 = 4 << 30
    /// Parts of a file's path.
    public static let deepest = 3

    public let path: String
    /// Paths in the folder, in order.
    public let files: [String]
    /// The sum of all files.
    public let bytes: Int64
    public let sizes: [String: Int64]

    /// - Throws: `absent`; `unusable` for links, pipes, or too many or too large files.
    public init(_ path: String) throws(VerifiedFolderError) {
        self.path = path
        var sizes: [String: Int64] = [:]
        var total: Int64 = 0
        var rest = try Self.names(path).map { [$0] }
        while let parts = rest.popLast() {
            let name = parts.joined(separator: "/")
            switch try Self.kind(path + "/" + name) {
            case .file(let size):
                sizes[name] = size
                total += size
            case .folder where parts.count < Self.deepest:
                rest += try Self.names(path + "/" + name).map { parts + [$0] }
            case .folder: throw Self.unusable("\(path)/\(name) is not a regular file.")
            }
            guard sizes.count + rest.count <= Self.mostFiles, total <= Self.largestTotal else {
                throw Self.unusable(
                    "\(path) has more than \(Self.mostFiles) files or \(Self.largestTotal >> 30) GB, which no model "
                        + "and no engine has.")
            }
        }
        guard !sizes.isEmpty else { throw VerifiedFolderError(code: .absent, message: "\(path) is empty.") }
        self.sizes = sizes
        files = sizes.keys.sorted()
        bytes = total
    }

    /// The folders in it that files are in, each after those in it.
    public var folders: [String] {
        Set(
            files.flatMap { file in
                let parts = file.split(separator: "/").dropLast()
                return parts.indices.map { parts[...$0].joined(separator: "/") }
            }
        ).sorted().reversed()
    }

    /// SHA-256 of each file in hexadecimal, by its path in the folder.
    public func digests(_ digests: FileDigests) throws(VerifiedFolderError) -> [String: String] {
        var result: [String: String] = [:]
        for file in files {
            guard let digest = digests.sha256(of: path + "/" + file) else {
                throw VerifiedFolderError(code: .inputOutput, message: "\(path)/\(file) cannot be read.")
            }
            result[file] = digest
        }
        return result
    }

    /// What differs from the wanted digests. An additional file is a fault too: it may replace a wanted file when the folder is
    /// loaded.
    public func faults(_ wanted: [String: String], _ digests: FileDigests) -> [FileFault] {
        let present = Set(files)
        let known = wanted.sorted { $0.key < $1.key }.compactMap { file, digest -> FileFault? in
            guard present.contains(file) else { return FileFault(file: file, kind: .missing) }
            return digests.sha256(of: path + "/" + file) == digest ? nil : FileFault(file: file, kind: .changed)
        }
        return known + present.subtracting(wanted.keys).sorted().map { FileFault(file: $0, kind: .added) }
    }

    /// Copies all files into a new folder, each with the size that it had. After a failure the caller removes the copies.
    ///
    /// - Throws: `inputOutput`, before anything is copied if there is too little space; `unusable` if a file was replaced or has
    ///   another size now.
    public func copy(to target: String) throws(VerifiedFolderError) {
        let parent = (target as NSString).deletingLastPathComponent
        try DiskSpace.check([DiskSpace.Need(folder: parent, bytes: bytes)])
        let manager = FileManager.default
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        do {
            try manager.createDirectory(atPath: target, withIntermediateDirectories: false, attributes: attributes)
            for file in files {
                let copy = target + "/" + file
                try manager.createDirectory(
                    atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                    attributes: attributes)
                try Self.copy(path + "/" + file, to: copy, bytes: sizes[file] ?? 0)
            }
        } catch let error as VerifiedFolderError {
            throw error
        } catch {
            throw VerifiedFolderError(
                code: .inputOutput,
                message: "\(path) cannot be copied to \(parent): \(error.localizedDescription). Free some space there.")
        }
    }

    /// Writes its files and folders to the disk, so that a power cut cannot take a part of them.
    ///
    /// - Parameter write: of one file or folder.
    /// - Throws: `inputOutput`
    public func sync(
        by write: (_ path: String) throws(VerifiedFolderError) -> Void = VerifiedFolder.sync
    ) throws(VerifiedFolderError) {
        // A folder after what is in it.
        for file in files { try write(path + "/" + file) }
        for folder in folders { try write(path + "/" + folder) }
        try write(path)
    }

    /// Writes one file, or the names in a folder, to the disk.
    ///
    /// - Throws: `inputOutput`
    @Sendable public static func sync(_ path: String) throws(VerifiedFolderError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        // fsync(2): EINVAL where the file system has nothing to write.
        guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL else {
            throw VerifiedFolderError(
                code: .inputOutput, message: "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Since the folder was listed, a pipe or an endless file may have taken the file's place: neither is waited for or read.
    private static func copy(_ source: String, to target: String, bytes: Int64) throws {
        let changed = unusable("\(source) changed while it was copied. Try again.")
        let opened = open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let number = errno
        guard opened >= 0 || [ENOENT, ELOOP, ENXIO].contains(number) else {
            throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
        }
        let reader = OwnedDescriptor(owning: opened)
        guard let metadata = try? FileMetadata(descriptor: reader.rawValue, path: source), metadata.isRegularFile
        else { throw changed }
        let writer = OwnedDescriptor(owning: open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        guard writer.rawValue >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var rest = bytes
        while rest > 0 {
            guard let data = DescriptorBytes.read(Int(min(rest, 1 << 20)), from: reader.rawValue), !data.isEmpty
            else { throw changed }
            guard DescriptorBytes.write(data, to: writer.rawValue) else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            rest -= Int64(data.count)
        }
        guard DescriptorBytes.read(1, from: reader.rawValue)?.isEmpty == true else { throw changed }
    }

    private enum Kind {
        case file(Int64)
        case folder
    }

    private static func names(_ path: String) throws(VerifiedFolderError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw VerifiedFolderError(
                code: .absent, message: "\(path) is not a readable folder. Check its path and permissions.")
        }
    }

    private static func kind(_ path: String) throws(VerifiedFolderError) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw unusable("\(path) cannot be read.") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(Int64(status.st_size))
        case S_IFDIR: return .folder
        default: throw unusable("\(path) is neither a file nor a folder.")
        }
    }

    private static func unusable(_ message: String) -> VerifiedFolderError {
        VerifiedFolderError(code: .unusable, message: message)
    }
}

/// A wrong file of a verified folder.
public struct FileFault: Sendable, Hashable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, Codable {
        case missing, changed, added
    }

    /// Its path in the folder.
    public let file: String
    public let kind: Kind

    public init(file: String, kind: Kind) {
        self.file = file
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .missing: "\(file) is missing"
        case .changed: "\(file) was changed"
        case .added: "\(file) does not belong to it"
        }
    }
}

/// Room on the disk for files that will be written.
public enum DiskSpace {
    public struct Need: Sendable, Hashable {
        /// It may not exist yet.
        public let folder: String
        public let bytes: Int64

        public init(folder: String, bytes: Int64) {
            self.folder = folder
            self.bytes = bytes
        }
    }

    /// Adds up what is needed on the same file system. A file system that cannot be asked counts as large enough.
    ///
    /// - Throws: `inputOutput`
    public static func check(_ needs: [Need]) throws(VerifiedFolderError) {
        var sums: [UInt64: (folder: String, needed: Int64, free: Int64)] = [:]
        for need in needs {
            var folder = need.folder
            while access(folder, F_OK) != 0, folder != "/", !folder.isEmpty {
                folder = (folder as NSString).deletingLastPathComponent
            }
            var status = stat()
            var space = statvfs()
            guard stat(folder, &status) == 0, statvfs(folder, &space) == 0 else { continue }
            let free = Int64(clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).0)
            sums[UInt64(status.st_dev), default: (need.folder, 0, free)].needed += need.bytes
        }
        for sum in sums.values.sorted(by: { $0.folder < $1.folder }) where sum.needed > sum.free {
            throw VerifiedFolderError(
                code: .inputOutput,
                message: "\(sum.folder) has \(megabytes(sum.free)) free, and \(megabytes(sum.needed)) are needed. "
                    + "Free some space there.")
        }
    }

    /// In units of a million bytes, rounded up.
    public static func megabytes(_ bytes: Int64) -> String {
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(rest > 0 ? whole + 1 : whole) MB"
    }
}

/// Why a folder is not used, added or removed.
public typealias VerifiedFolderError = CodedError<VerifiedFolderErrorCode>

public enum VerifiedFolderErrorCode: String, Sendable, Hashable, CaseIterable {
    /// There is no such model or engine.
    case absent
    /// A file of it is different.
    case damaged
    /// Neither in the catalogue nor added.
    case unknown
    /// The folder, its description or the name is invalid.
    case unusable
    /// The name is in use already.
    case exists
    /// It is in use.
    case inUse
    /// It cannot be read or written.
    case inputOutput
}
