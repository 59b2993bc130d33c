import Authorization
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Finds the manifests of clients: `NAME/Info.plist` or `NAME.plist` in each folder.
///
/// `catalog()` reads them each time; `ClientCatalogCache` reads them after a change. Only regular files within
/// `Manifest.sizeLimit` are read; others are reported as problems.
public struct ClientDirectory: Sendable {
    /// The administrator's manifests, for all users.
    public static let administratorFolder = "/etc/voicegate/clients"
    /// The administrator's and those of packages.
    public static let systemFolders = [administratorFolder, "/usr/share/voicegate/clients"]
    /// The most files of a folder; more are ignored and reported.
    static let fileLimit = 500

    let folders: [String]
    private let builtIn: [Manifest]
    private let trustedUser: UInt32

    /// - Parameters:
    ///   - userFolder: `$XDG_CONFIG_HOME/voicegate/clients`; has the lowest precedence.
    ///   - builtIn: manifests of VoiceGate's own programs; they have the highest precedence.
    ///   - trustedUser: besides root, the user whose files and folders are used.
    public init(
        systemFolders: [String] = Self.systemFolders, userFolder: String?, builtIn: [Manifest] = [],
        trustedUser: UInt32 = geteuid()
    ) {
        self.folders = systemFolders + (userFolder.map { [$0] } ?? [])
        self.builtIn = builtIn
        self.trustedUser = trustedUser
    }

    /// Reads all folders. A missing folder is not a problem.
    public func catalog() -> ClientCatalog {
        var files = ManifestFiles()
        return catalog(&files) { _ in }
    }

    /// - Parameter onFolder: called for each subfolder before it is read.
    func catalog(_ files: inout ManifestFiles, onFolder: (String) -> Void) -> ClientCatalog {
        files.begin()
        defer { files.settle() }
        var clients = builtIn.map { RegisteredClient(manifest: $0, path: nil) }
        var described = Dictionary(clients.map { (DescribedProgram($0.manifest), $0) }) { first, _ in first }
        var problems: [String: String] = [:]
        for folder in folders {
            files.noteLinks(to: folder)
            for path in manifestPaths(in: folder, &problems, &files, onFolder) {
                do {
                    let manifest = try files.manifest(at: path, check: distrust)
                    let program = DescribedProgram(manifest)
                    if let other = clients.first(where: { $0.manifest.identifier == manifest.identifier }) {
                        problems[path] =
                            "The identifier \(manifest.identifier) is taken by \(other.place), which has precedence."
                    } else if let other = described[program] {
                        problems[path] =
                            "It describes the same program as \(other.place) (\(other.manifest.identifier)), which has "
                            + "precedence. Remove one of the two."
                    } else {
                        let client = RegisteredClient(manifest: manifest, path: path)
                        clients.append(client)
                        described[program] = client
                    }
                } catch let error as ManifestError {
                    problems[error.path ?? path] = error.message
                } catch let error as FileError {
                    problems[error.path] = error.sentence
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
        do throws(FileError) {
            let metadata = try FileMetadata(path: folder)
            guard metadata.isDirectory else {
                throw FileError(code: .failed, path: folder, reason: "it is not a folder")
            }
            if let reason = distrust(metadata) { throw FileError(code: .notAllowed, path: folder, reason: reason) }
            let names = try Folder.names(in: folder, limit: Self.fileLimit + 1)
            if names.count > Self.fileLimit {
                problems[folder] = "It has more than \(Self.fileLimit) files; the others are ignored."
            }
            return names.prefix(Self.fileLimit).compactMap {
                manifestPath(folder + "/" + $0, &problems, &files, onFolder)
            }
        } catch {
            if error.code != .missing { problems[folder] = error.sentence }
            return []
        }
    }

    /// - Returns: `nil` for other files, such as an editor's backup.
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

    /// A user who can write a manifest can choose a program's identity and the text of its prompts.
    private func distrust(_ metadata: FileMetadata) -> String? {
        if metadata.owner != 0 && metadata.owner != trustedUser {
            return "It belongs to user \(metadata.owner). It must belong to root or user \(trustedUser)."
        }
        return metadata.isWritableByAll ? "All users can write it. Use chmod o-w." : nil
    }
}

/// The clients of this machine at one moment, and the manifests that cannot be used.
public struct ClientCatalog: Sendable {
    /// In order of precedence: built in, system, user.
    public let clients: [RegisteredClient]
    /// Path → why the file or folder is not used, as a sentence.
    public let problems: [String: String]

    /// What may be wrong with the manifest of a client that none in use describes: its path names the client, or any.
    ///
    /// - Returns: a sentence; `nil`: all manifests are in use.
    public func problem(of client: ClientIdentifier) -> String? {
        let names: Set<Substring> = ["\(client)", "\(client).plist"]
        let own = problems.filter { !names.isDisjoint(with: $0.key.split(separator: "/")) }
        if own.isEmpty { return problems.isEmpty ? nil : "voicegate status names the manifests that have errors." }
        return own.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: " ")
    }

    /// The client of a caller. Files are compared by device and inode, so that a name or a link cannot impersonate.
    ///
    /// - Returns: the first registered client whose manifest matches the caller; else an unregistered one.
    public func client(for caller: Caller) -> Client {
        client(of: caller, in: clients.first { $0.manifest.matches(caller) })
    }

    /// The same without waiting for a file system; `nil` if it would have to.
    public func clientAtOnce(for caller: Caller) -> Client? {
        for registered in clients {
            guard let matches = registered.manifest.matchesAtOnce(caller) else { return nil }
            if matches { return client(of: caller, in: registered) }
        }
        return client(of: caller, in: nil)
    }

    private func client(of caller: Caller, in registered: RegisteredClient?) -> Client {
        registered.map { Client(manifest: $0.manifest) } ?? Client(unregistered: caller.executable)
    }
}

/// The clients of this machine, read again after a change: an installed or removed manifest counts from the next call.
///
/// The kernel reports changes (`FolderWatch`); if it cannot, everything is read each time. On a network file system it reports
/// only changes by this machine.
public final class ClientCatalogCache: Sendable {
    private struct State {
        var catalog: ClientCatalog?
        /// Counts the catalogues of all caches, so that a version identifies one catalogue.
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
    /// One reading at a time, outside of the shared pool, since reading blocks.
    private let queue = DispatchQueue(label: "voicegate.clients")

    public init(directory: ClientDirectory) {
        self.directory = directory
        watch = try? FolderWatch(folders: directory.folders)
    }

    /// The current catalogue and its version. Without a change this is one system call and does not suspend.
    public func current() async -> (catalog: ClientCatalog, version: UInt64) {
        if let current = unchanged(.cached) { return current }
        return await queue.run { self.unchanged(.small) ?? self.read() }
    }

    private func unchanged(_ use: FileUse) -> (ClientCatalog, UInt64)? {
        guard let watch else { return nil }
        // Outside of the lock, which connections take, because it may wait.
        guard let haveLinkedChanged = try? state.withLock({ $0.files }).haveChanged(use) else { return nil }
        return state.withLock { state in
            if watch.hasChanged() || haveLinkedChanged { state.changes += 1 }
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

    var place: String { path ?? "VoiceGate itself" }
}

/// What a manifest describes, by real paths: two names of one program are the same.
struct DescribedProgram: Hashable {
    private let binding: Binding
    /// `nil` in a sandbox, whose programs are all the client.
    private let path: String?

    init(_ manifest: Manifest) {
        func real(_ path: String) -> String { RealPath.of(path) ?? path }
        switch manifest.binding {
        case .flatpak, .snap: (binding, path) = (manifest.binding, nil)
        case .script(let script): (binding, path) = (.script(real(script)), nil)
        case .unit(let unit, let script):
            (binding, path) = (.unit(unit, script: script.map(real)), real(manifest.executablePath))
        case .executable: (binding, path) = (.executable, real(manifest.executablePath))
        }
    }
}
