import Authorization
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Finds the manifests of clients: `NAME/Info.plist` or `NAME.plist` in each folder.
///
/// `catalog()` reads them anew each time; `ClientCatalogCache` does so when something has changed.
/// Every file is a regular one within `Manifest.sizeLimit`, or it is a problem; reading never waits.
public struct ClientDirectory: Sendable {
    public static let systemFolders = ["/etc/voicegate/clients", "/usr/share/voicegate/clients"]
    /// Files looked at in a folder; more than that are left out and reported.
    static let fileLimit = 500

    let folders: [String]
    private let builtIn: [Manifest]
    private let trustedUser: UInt32

    /// - Parameters:
    ///   - userFolder: `$XDG_CONFIG_HOME/voicegate/clients`; comes last.
    ///   - builtIn: manifests of VoiceGate's own programs; they come first.
    ///   - trustedUser: besides root, the one user whose files and folders are used.
    public init(
        systemFolders: [String] = Self.systemFolders, userFolder: String?, builtIn: [Manifest] = [],
        trustedUser: UInt32 = geteuid()
    ) {
        self.folders = systemFolders + (userFolder.map { [$0] } ?? [])
        self.builtIn = builtIn
        self.trustedUser = trustedUser
    }

    /// Reads all folders. A missing folder is no problem.
    public func catalog() -> ClientCatalog {
        var files = ManifestFiles()
        return catalog(&files) { _ in }
    }

    /// - Parameter onFolder: called for each folder in the given ones before it is looked into.
    func catalog(_ files: inout ManifestFiles, onFolder: (String) -> Void) -> ClientCatalog {
        files.begin()
        defer { files.settle() }
        var clients = builtIn.map { RegisteredClient(manifest: $0, path: nil) }
        var problems: [String: String] = [:]
        for folder in folders {
            files.noteWay(to: folder)
            for path in manifestPaths(in: folder, &problems, &files, onFolder) {
                do {
                    let manifest = try files.manifest(at: path, check: distrust)
                    if let other = clients.first(where: { $0.manifest.identifier == manifest.identifier }) {
                        let place = other.path ?? "VoiceGate itself"
                        problems[path] =
                            "The identifier \(manifest.identifier) is taken by \(place), which comes first."
                    } else {
                        clients.append(RegisteredClient(manifest: manifest, path: path))
                    }
                } catch let error as ManifestError {
                    problems[error.path ?? path] = error.message
                } catch let error as FileError {
                    problems[error.path] = Self.sentence(error.reason)
                } catch {
                    problems[path] = "It cannot be read: \(error)."
                }
            }
        }
        return ClientCatalog(clients: clients, problems: problems)
    }

    private func manifestPaths(
        in folder: String, _ problems: inout [String: String], _ files: inout ManifestFiles,
        _ onFolder: (String) -> Void
    ) -> [String] {
        do {
            let metadata = try FileMetadata(path: folder)
            guard metadata.isDirectory else {
                problems[folder] = "It is not a folder."
                return []
            }
            if let reason = distrust(metadata) {
                problems[folder] = reason
                return []
            }
            let names = try Folder.names(in: folder, limit: Self.fileLimit + 1)
            if names.count > Self.fileLimit {
                problems[folder] = "It holds more than \(Self.fileLimit) files; the others are not read."
            }
            return names.prefix(Self.fileLimit).compactMap {
                manifestPath(folder + "/" + $0, &problems, &files, onFolder)
            }
        } catch {
            if error.code != .missing { problems[folder] = Self.sentence(error.reason) }
            return []
        }
    }

    /// - Returns: `nil` for what is neither a plist nor a folder with one, such as an editor's backup.
    private func manifestPath(
        _ entry: String, _ problems: inout [String: String], _ files: inout ManifestFiles, _ onFolder: (String) -> Void
    ) -> String? {
        if entry.hasSuffix(".plist") { return entry }
        files.note(entry)
        guard let metadata = try? FileMetadata(path: entry), metadata.isDirectory else { return nil }
        onFolder(entry)
        for folder in ManifestFile.translationFolders(in: entry) { onFolder(folder.path) }
        if let reason = distrust(metadata) {
            problems[entry] = reason
            return nil
        }
        return entry + "/Info.plist"
    }

    /// Whoever can write a manifest can say what a program is and how its prompts read.
    private func distrust(_ metadata: FileMetadata) -> String? {
        if metadata.owner != 0 && metadata.owner != trustedUser {
            return "It belongs to user \(metadata.owner). It must belong to root or user \(trustedUser)."
        }
        return metadata.isWritableByAll ? "Everybody can write it. Use chmod o-w." : nil
    }

    private static func sentence(_ reason: String) -> String {
        let text = reason.prefix(1).uppercased() + reason.dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}

/// The clients of this machine as they were found at one moment, and what could not be used.
public struct ClientCatalog: Sendable {
    /// In order of precedence: built in, system, user.
    public let clients: [RegisteredClient]
    /// Path → why the file or folder there is not used, as a sentence.
    public let problems: [String: String]

    /// The client a caller is. Files are compared by device and inode, so that neither a name nor a link can pretend.
    ///
    /// - Returns: the first registered client whose manifest speaks for the caller; else an unregistered one.
    public func client(for caller: Caller) -> Client {
        for registered in clients where registered.manifest.speaks(for: caller) {
            return Client(manifest: registered.manifest)
        }
        return Client(unregisteredExecutable: caller.executable.name)
    }
}

/// The clients of this machine, read again when something has changed: an installed or removed manifest counts at the
/// next look, as if all were read each time.
///
/// The kernel is asked for changes at each look (`FolderWatch`); where it cannot tell, everything is read each time. On a
/// network's file system it tells only what this machine did.
public final class ClientCatalogCache: Sendable {
    private struct State {
        var catalog: ClientCatalog?
        /// Counts catalogues, those of all caches together: what was found in one is not taken for another's.
        var version: UInt64 = 0
        /// Counts changes that were noticed.
        var changes: UInt64 = 0
        /// The count when the catalogue's reading began.
        var readAt: UInt64?
        var files = ManifestFiles()
    }

    private static let versions = Atomic<UInt64>(0)

    private let directory: ClientDirectory
    private let watch: FolderWatch?
    private let state = Mutex(State())
    /// One reading at a time; reading manifests blocks, and a slow disk must not hold the shared pool.
    private let queue = DispatchQueue(label: "voicegate.clients")

    public init(directory: ClientDirectory) {
        self.directory = directory
        watch = try? FolderWatch(folders: directory.folders)
    }

    /// The catalogue as it is now, and a number that changes with it. When nothing has changed this is one system call and
    /// does not suspend.
    public func current() async -> (catalog: ClientCatalog, version: UInt64) {
        if let current = unchanged() { return current }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.unchanged() ?? self.read()) }
        }
    }

    private func unchanged() -> (ClientCatalog, UInt64)? {
        guard let watch else { return nil }
        return state.withLock { state in
            if watch.hasChanged() || state.files.hasChanged { state.changes += 1 }
            guard let catalog = state.catalog, state.readAt == state.changes else { return nil }
            return (catalog, state.version)
        }
    }

    /// Only on the queue.
    private func read() -> (ClientCatalog, UInt64) {
        watch?.begin()
        var (files, changes) = state.withLock { ($0.files, $0.changes) }
        let catalog = directory.catalog(&files) { watch?.add($0) }
        watch?.settle()
        return state.withLock { state in
            state.version = Self.versions.add(1, ordering: .relaxed).newValue
            state.catalog = catalog
            state.readAt = watch?.isComplete == true ? changes : nil
            state.files = files
            return (catalog, state.version)
        }
    }
}

/// A manifest and where it was found.
public struct RegisteredClient: Sendable, Hashable {
    public let manifest: Manifest
    /// The manifest's file; `nil` for one that is built in.
    public let path: String?

    public init(manifest: Manifest, path: String?) {
        self.manifest = manifest
        self.path = path
    }
}
