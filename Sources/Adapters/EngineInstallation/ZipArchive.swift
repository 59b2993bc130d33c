import Base
import CArchive
import Glibc

/// A zip archive, read by libarchive.
struct ZipArchive {
    /// A file or folder in the archive, while it is read.
    struct Member {
        /// Relative, without `..`; a folder's ends with a slash.
        let name: String
        fileprivate let archive: ZipArchive
        fileprivate let reader: OpaquePointer
        fileprivate let entry: OpaquePointer

        var isRegularFile: Bool { archive_entry_filetype(entry) == S_IFREG }

        /// - Parameter most: bytes.
        /// - Throws: `damaged` if it is not a regular file or is longer; `inputOutput`; `CancellationError`.
        func write(to target: String, atMost most: Int64) throws -> NewFile {
            guard isRegularFile else { throw archive.unusable("\(name) is not a regular file") }
            let file = try NewFile(target)
            var buffer = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                try Task.checkCancellation()
                let count = archive_read_data(reader, &buffer, buffer.count)
                guard count >= 0 else { throw archive.unreadable(reader) }
                if count == 0 { return file }
                // Before writing: a member may claim to be small and never end.
                guard file.bytes + Int64(count) <= most else { throw archive.unusable("\(name) is too long") }
                try file.write(buffer[..<count])
            }
        }
    }

    let path: String

    /// Passes each member on, in the archive's order.
    ///
    /// - Throws: `damaged` if any member has an absolute path, one with `..`, or one that occurs twice; `CancellationError`; what
    ///   `take` throws.
    func read(_ take: (Member) throws -> Void) throws {
        guard let reader = archive_read_new() else { throw EngineInstallationError.cannotWrite(path, ENOMEM) }
        defer { archive_read_free(reader) }
        guard archive_read_support_format_zip(reader) == ARCHIVE_OK,
            archive_read_open_filename(reader, path, 1 << 16) == ARCHIVE_OK
        else { throw unreadable(reader) }
        var names: Set<String> = []
        var entry: OpaquePointer?
        while true {
            try Task.checkCancellation()
            let result = archive_read_next_header(reader, &entry)
            if result == ARCHIVE_EOF { return }
            // A warning is about a name or an attribute that cannot be represented here.
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw unreadable(reader) }
            let name = try name(of: entry)
            guard names.insert(name).inserted else { throw unusable("two members are named \(name.prefix(200))") }
            try take(Member(name: name, archive: self, reader: reader, entry: entry))
        }
    }

    func unusable(_ problem: String) -> EngineInstallationError {
        EngineInstallationError(
            code: .damaged,
            message: "\(path) is not used: \(DisplayText.cleaned(problem, limit: 600)). Nothing is installed.")
    }

    private func name(of member: OpaquePointer) throws -> String {
        guard let pointer = archive_entry_pathname_utf8(member) ?? archive_entry_pathname(member) else {
            throw unusable("a member has no readable name")
        }
        let name = String(cString: pointer)
        // A folder's name ends with a slash.
        let parts = (name.hasSuffix("/") ? name.dropLast() : name[...]).split(
            separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !parts.contains("") else {
            throw unusable("the path of a member leads elsewhere: \(name.prefix(200))")
        }
        return name
    }

    fileprivate func unreadable(_ reader: OpaquePointer) -> EngineInstallationError {
        let reason = archive_error_string(reader).map { String(cString: $0) } ?? "it is not a zip archive"
        return unusable("it cannot be read (\(DisplayText.cleaned(reason, limit: 200)))")
    }
}
