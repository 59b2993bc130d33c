import Base
import CArchive
import Cryptography
import Engines
import Glibc
import LinuxSystem

/// A wheel (a zip archive), read by libarchive. Only files that are asked for are written, under names that do not come from the
/// wheel.
struct Wheel {
    let path: String

    /// Writes files of the wheel into a folder.
    ///
    /// - Throws: `damaged` if any member has an absolute path, one with `..`, or one that occurs twice, if a file is missing, or has
    ///   another size or SHA-256; `inputOutput`; `CancellationError`.
    func unpack(_ contents: [EngineEntry.Content], into folder: String) throws {
        guard let archive = archive_read_new() else { throw EngineInstallationError.cannotWrite(folder, ENOMEM) }
        defer { archive_read_free(archive) }
        guard archive_read_support_format_zip(archive) == ARCHIVE_OK,
            archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK
        else { throw unreadable(archive) }
        var wanted = Dictionary(contents.map { ($0.path, $0) }) { first, _ in first }
        var members: Set<String> = []
        var member: OpaquePointer?
        while true {
            try Task.checkCancellation()
            let result = archive_read_next_header(archive, &member)
            if result == ARCHIVE_EOF { break }
            // A warning is about a name or an attribute that cannot be represented here.
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let member else { throw unreadable(archive) }
            let name = try name(of: member)
            guard members.insert(name).inserted else { throw unsafe("two members are named \(name.prefix(200))") }
            guard let content = wanted.removeValue(forKey: name) else { continue }
            guard archive_entry_filetype(member) == S_IFREG else { throw unsafe("\(name) is not a regular file") }
            try write(content, from: archive, into: folder)
        }
        if let missing = wanted.keys.min() { throw unsafe("\(missing) is missing") }
    }

    private func name(of member: OpaquePointer) throws -> String {
        guard let pointer = archive_entry_pathname_utf8(member) ?? archive_entry_pathname(member) else {
            throw unsafe("a member has no readable name")
        }
        let name = String(cString: pointer)
        // A folder's name ends with a slash.
        let parts = (name.hasSuffix("/") ? name.dropLast() : name[...]).split(
            separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !parts.contains("") else {
            throw unsafe("the path of a member leads elsewhere: \(name.prefix(200))")
        }
        return name
    }

    private func write(_ content: EngineEntry.Content, from archive: OpaquePointer, into folder: String) throws {
        let target = folder + "/" + content.name
        let file = try NewFile(target)
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            try Task.checkCancellation()
            let count = archive_read_data(archive, &buffer, buffer.count)
            guard count >= 0 else { throw unreadable(archive) }
            if count == 0 { break }
            // Before writing: a member may claim to be small and never end.
            guard file.bytes + Int64(count) <= content.bytes else { throw wrong(content, "is too long") }
            try file.write(buffer[..<count])
        }
        guard file.bytes == content.bytes else { throw wrong(content, "is too short") }
        guard file.digest == content.sha256 else { throw wrong(content, "has another SHA-256") }
    }

    private func wrong(_ content: EngineEntry.Content, _ problem: String) -> EngineInstallationError {
        unsafe("\(content.path) \(problem)")
    }

    private func unreadable(_ archive: OpaquePointer) -> EngineInstallationError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "it is not a zip archive"
        return unsafe("it cannot be read (\(DisplayText.cleaned(reason, limit: 200)))")
    }

    private func unsafe(_ problem: String) -> EngineInstallationError {
        EngineInstallationError(
            code: .damaged,
            message: "\(path) is not used: \(DisplayText.cleaned(problem, limit: 600)). Nothing is installed.")
    }
}

/// A file that is being written, with its SHA-256.
final class NewFile {
    private let path: String
    private let descriptor: OwnedDescriptor
    private var hash = SHA256()
    private(set) var bytes: Int64 = 0

    /// - Throws: `EngineInstallationError`, also if the file exists.
    init(_ path: String) throws {
        self.path = path
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
