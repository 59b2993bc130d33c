import LinuxSystem
import Synchronization

/// The clients as each user has them: what the system brings is everybody's, what a user has installed is that user's
/// alone.
final class ClientCatalogs: Sendable {
    /// Users whose clients are held; each takes one of the kernel's watches, of which a user has 128 (inotify(7)).
    private static let most = 32

    private struct State {
        var caches: [UInt32: ClientCatalogCache] = [:]
        /// The one that was asked for last comes last.
        var order: [UInt32] = []
    }

    private let directory: @Sendable (UInt32) -> ClientDirectory
    private let shared: ClientCatalogCache?
    private let state = Mutex(State())

    /// One user's, whoever asks (advisory mode).
    init(_ directory: ClientDirectory) {
        self.directory = { _ in directory }
        shared = ClientCatalogCache(directory: directory)
    }

    /// Each user's own (enforced mode).
    init(ofEach directory: @escaping @Sendable (UInt32) -> ClientDirectory) {
        self.directory = directory
        shared = nil
    }

    func cache(of user: UInt32) -> ClientCatalogCache {
        if let shared { return shared }
        return state.withLock { state in
            state.order.removeAll { $0 == user }
            state.order.append(user)
            if let cache = state.caches[user] { return cache }
            if state.order.count > Self.most { state.caches[state.order.removeFirst()] = nil }
            let cache = ClientCatalogCache(directory: directory(user))
            state.caches[user] = cache
            return cache
        }
    }
}
