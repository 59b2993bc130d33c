import Dispatch
import Synchronization

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
