import Foundation
import Glibc
import Synchronization

/// Which files the system's package manager put there, by dpkg's lists (`/var/lib/dpkg/info/*.list`, a path a line).
///
/// A file counts only if nobody but root could have written it since: neither the file nor a folder on the way to it is
/// writable by others. Then, when it changes, the system changed it.
public final class PackageDatabase: Sendable {
    private struct Answers {
        var database: FileMetadata?
        var known: [String: Bool] = [:]
    }

    /// Bytes of one list, and lists; a large system has 4,000 of up to 3 MB.
    private static let listLimit = 16_000_000
    private static let listsLimit = 20_000
    private static let capacity = 1024

    private let folder: String
    private let answers = Mutex(Answers())

    /// - Parameter folder: of dpkg's lists. Where there is none, no file counts.
    public init(folder: String = "/var/lib/dpkg/info") {
        self.folder = folder
    }

    /// Reads all lists for a path it does not know yet: some 10 milliseconds.
    ///
    /// - Parameters:
    ///   - path: without links.
    ///   - metadata: of the file that is meant. Another one at that path does not count.
    func owns(_ path: String, _ metadata: FileMetadata) -> Bool {
        guard path.hasPrefix("/"), isSafe(path, metadata), let database = try? FileMetadata(path: folder),
            database.owner == 0
        else { return false }
        let known = answers.withLock { answers -> Bool? in
            // dpkg writes a list beside the old one and renames it, which changes the folder.
            if answers.database != database { answers = Answers(database: database) }
            return answers.known[path]
        }
        if let known { return known }
        let isListed = isListed(path)
        answers.withLock { answers in
            guard answers.database == database else { return }
            if answers.known.count >= Self.capacity { answers.known = [:] }
            answers.known[path] = isListed
        }
        return isListed
    }

    private func isSafe(_ path: String, _ metadata: FileMetadata) -> Bool {
        guard let file = try? FileMetadata(path: path), file.device == metadata.device, file.inode == metadata.inode,
            file.isRegularFile
        else { return false }
        var place = path
        while true {
            guard let metadata = try? FileMetadata(path: place), metadata.owner == 0, !metadata.isWritableByGroup,
                !metadata.isWritableByAll
            else { return false }
            if place == "/" { return true }
            place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
            if place.isEmpty { place = "/" }
        }
    }

    private func isListed(_ path: String) -> Bool {
        // With /bin and /lib merged into /usr, packages may still name the old place.
        var lines = [Array(path.utf8)]
        if ["/usr/bin/", "/usr/sbin/", "/usr/lib"].contains(where: path.hasPrefix) {
            lines.append(Array(path.dropFirst("/usr".count).utf8))
        }
        guard let names = try? Folder.names(in: folder, limit: Self.listsLimit) else { return false }
        return names.contains { name in
            guard name.hasSuffix(".list"),
                let list = try? RegularFile(path: folder + "/" + name, limit: Self.listLimit), list.metadata.owner == 0
            else { return false }
            return list.data.withUnsafeBytes { Self.has(lines, in: $0) }
        }
    }

    private static func has(_ lines: [[UInt8]], in text: UnsafeRawBufferPointer) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).contains { line in
            lines.contains { $0.count == line.count && line.elementsEqual($0) }
        }
    }
}
