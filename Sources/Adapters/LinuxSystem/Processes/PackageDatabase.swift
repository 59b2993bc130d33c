import CLinux
import Foundation
import Glibc
import Synchronization

/// The files of the system's packages, by dpkg's lists (`/var/lib/dpkg/info/*.list`, a path a line).
///
/// A file counts only if root alone can write it and all folders of its path, so that only the system can change it.
public final class PackageDatabase: Sendable {
    private struct Answers {
        var database: FileMetadata?
        /// Path → package; `nil`: none.
        var known: [String: String?] = [:]
    }

    /// The limits of a list's bytes and of the number of lists; a large system has 4,000 of up to 3 MB.
    private static let listLimit = 16_000_000
    private static let listsLimit = 20_000
    private static let capacity = 1024

    private let folder: String
    private let answers = Mutex(Answers())

    /// - Parameter folder: of dpkg's lists. Without it no file counts.
    public init(folder: String = "/var/lib/dpkg/info") {
        self.folder = folder
    }

    /// Reads all lists for a path that is not cached: about 10 milliseconds.
    ///
    /// - Parameters:
    ///   - path: without links.
    ///   - metadata: of the file. Another file at that path does not count.
    /// - Throws: `notRead` if it would have to wait for the file's metadata and may not.
    func owner(
        of path: String, _ metadata: FileMetadata, _ use: FileUse = .whole
    ) throws(ProcessError) -> String? {
        guard path.hasPrefix("/"), try isSafe(path, metadata, use), let database = try? FileMetadata(path: folder),
            database.owner == 0
        else { return nil }
        let known = answers.withLock { answers -> String?? in
            // dpkg replaces a list by renaming a new file, which changes the folder.
            if answers.database != database { answers = Answers(database: database) }
            return answers.known[path]
        }
        if let known { return known }
        let package = listing(path)
        answers.withLock { answers in
            guard answers.database == database else { return }
            if answers.known.count >= Self.capacity { answers.known = [:] }
            answers.known[path] = .some(package)
        }
        return package
    }

    private func isSafe(_ path: String, _ metadata: FileMetadata, _ use: FileUse) throws(ProcessError) -> Bool {
        let names = path.split(separator: "/")
        // Folders first: below one that a user can write, no file server is asked.
        for count in 0...names.count {
            let found: FileMetadata
            do {
                found = try use.metadata(of: "/" + names.prefix(count).joined(separator: "/"))
            } catch {
                if error.code == .mayWait { try use.require(.small) }
                return false
            }
            guard found.owner == 0, !found.isWritableByGroup, !found.isWritableByAll else { return false }
            if count == names.count { return found.isSameFile(as: metadata) && found.isRegularFile }
        }
        return false
    }

    /// The package whose list has the path.
    private func listing(_ path: String) -> String? {
        guard !path.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        // With /bin and /lib merged into /usr, packages may still name the old path.
        var paths = [path]
        if ["/usr/bin/", "/usr/sbin/", "/usr/lib"].contains(where: path.hasPrefix) {
            paths.append(String(path.dropFirst("/usr".count)))
        }
        // The first line of a list is the root folder, and each has an end.
        let lines = paths.map { Array("\n\($0)\n".utf8) }
        guard let names = try? Folder.names(in: folder, limit: Self.listsLimit) else { return nil }
        let list = names.first { name in
            guard name.hasSuffix(".list"),
                let list = try? RegularFile(path: folder + "/" + name, limit: Self.listLimit), list.metadata.owner == 0
            else { return false }
            return list.data.withUnsafeBytes { text in
                // Safe: it reads only the bytes of both buffers, which outlive the call.
                lines.contains { vg_has(text.baseAddress, text.count, $0, $0.count) }
            }
        }
        // `NAME.list`, or `NAME:ARCHITECTURE.list`.
        return list?.dropLast(".list".count).split(separator: ":").first.map(String.init)
    }
}
