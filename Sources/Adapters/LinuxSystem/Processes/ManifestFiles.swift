import Authorization
import Glibc

/// Files of one reading after the other: what has not changed since is not parsed again.
struct ManifestFiles: Sendable {
    private struct Known: Sendable {
        let metadata: FileMetadata
        let manifest: Manifest
    }

    /// What the kernel does not tell changes of, with what it was: links, and files that have more than one name.
    private(set) var linked: [String: FileMetadata?] = [:]
    private var known: [String: Known] = [:]
    private var used: [String: Known] = [:]

    /// One of them changed so recently that a further change might not show.
    private var isLinkedFresh = false

    private let isFresh: @Sendable (FileMetadata) -> Bool

    /// - Parameter isFresh: whether a further change might not show; see `FileMetadata.isFresh`.
    init(isFresh: @escaping @Sendable (FileMetadata) -> Bool = \.isFresh) { self.isFresh = isFresh }

    /// Bytes of manifests that were read so far.
    private(set) var bytesRead = 0

    mutating func begin() {
        linked = [:]
        isLinkedFresh = false
    }

    /// Forgets what was not asked for since `begin()`.
    mutating func settle() {
        known = used
        used = [:]
    }

    /// - Parameter check: why the file is not used, or `nil`.
    mutating func manifest(at path: String, check: (FileMetadata) -> String?) throws -> Manifest {
        note(path)
        let isTranslated = ManifestFile.hasTranslations(beside: path)
        let metadata = try FileMetadata(path: path)
        if let known = known[path], !isTranslated, metadata == known.metadata {
            used[path] = known
            return known.manifest
        }
        let file = try ManifestFile(path: path, distrust: check)
        bytesRead += file.data.count
        let manifest = try file.manifest()
        if !isTranslated, !isFresh(metadata) { used[path] = Known(metadata: metadata, manifest: manifest) }
        return manifest
    }

    /// Notes a folder or file by what it leads to, if it is one whose changes are not told.
    mutating func note(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink || status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1 { follow(path) }
    }

    /// Notes a folder that is reached through a link somewhere on the way.
    mutating func noteWay(to path: String) {
        guard let real = realpath(path, nil) else { return }
        defer { free(real) }
        if String(cString: real) != path { follow(path) }
    }

    private mutating func follow(_ path: String) {
        let metadata = try? FileMetadata(path: path)
        linked[path] = .some(metadata)
        isLinkedFresh = isLinkedFresh || metadata.map(isFresh) == true
    }

    /// Whether something has changed that the kernel does not tell.
    var hasChanged: Bool {
        isLinkedFresh || linked.contains { path, metadata in (try? FileMetadata(path: path)) != metadata }
    }
}
