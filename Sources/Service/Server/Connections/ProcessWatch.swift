import Authorization
import LinuxSystem
import Synchronization

/// Watches the processes that have connected, until they end: a grant for one process ends with it. A process without a
/// connection is watched only while something depends on it.
package final class ProcessWatch: Sendable {
    fileprivate struct Entry {
        let peer: ConnectedCaller
        var connections = 1
        /// When the last connection was closed: the number of that close.
        var released = 0
    }

    fileprivate struct State {
        var entries: [ProcessIdentity: Entry] = [:]
        var releases = 0
    }

    private let state = Mutex(State())
    private let quota: Quota
    private let concerned: @Sendable () async -> Set<ProcessIdentity>
    private let onEnd: @Sendable (ProcessIdentity) -> Void

    /// - Parameters:
    ///   - quota: of processes without a connection.
    ///   - concerned: the processes on which something depends.
    ///   - onEnd: what depends on the process ends. Called when the process has ended, or when its user has too many such
    ///     processes. It must not block.
    package init(
        _ quota: Quota, concerned: @escaping @Sendable () async -> Set<ProcessIdentity>,
        onEnd: @escaping @Sendable (ProcessIdentity) -> Void
    ) {
        self.quota = quota
        self.concerned = concerned
        self.onEnd = onEnd
    }

    /// The number of watched processes.
    var count: Int { state.withLock { $0.entries.count } }

    /// Watches the process at least until `release`.
    func watch(_ peer: ConnectedCaller) {
        let process = peer.caller.process
        let isNew = state.withLock { state in
            if state.entries[process] == nil {
                state.entries[process] = Entry(peer: peer)
                return true
            }
            state.entries[process]?.connections += 1
            return false
        }
        guard isNew else { return }
        // The entry keeps the peer, and so the handler, alive.
        peer.onExit { [weak self] in
            guard let self else { return }
            let entry = state.withLock { $0.entries.removeValue(forKey: process) }
            if entry != nil { onEnd(process) }
        }
    }

    /// Where a watched process is now; `nil` if it is not watched, and so has ended.
    package func presence(of process: ProcessIdentity) async -> Presence? {
        await state.withLock { $0.entries[process]?.peer }?.presence()
    }

    /// A connection of the process was closed.
    func release(_ peer: ConnectedCaller) async {
        let process = peer.caller.process
        let close = state.withLock { state -> Int? in
            guard var entry = state.entries[process] else { return nil }
            entry.connections -= 1
            if entry.connections == 0 {
                state.releases += 1
                entry.released = state.releases
            }
            state.entries[process] = entry
            return entry.connections == 0 ? entry.released : nil
        }
        guard let close else { return }
        let concerned = await concerned()
        // One that was closed later may have become concerned meanwhile.
        let (dropped, ended) = state.withLock { $0.prune(upTo: close, keeping: concerned, quota) }
        withExtendedLifetime(dropped) {}
        for process in ended { onEnd(process) }
    }
}

extension ProcessWatch.State {
    /// Removes the processes without a connection on which nothing depends, and of the others those that are too many.
    ///
    /// - Parameter close: processes that lost their connections after this close are left alone.
    /// - Returns: the removed entries, to be released outside of the lock, and the processes that were too many.
    fileprivate mutating func prune(
        upTo close: Int, keeping concerned: Set<ProcessIdentity>, _ quota: Quota
    ) -> (dropped: [ProcessWatch.Entry], ended: [ProcessIdentity]) {
        let idle = entries.filter { $0.value.connections == 0 && $0.value.released <= close }
            .sorted { $0.value.released > $1.value.released }
        var dropped: [ProcessWatch.Entry] = []
        var ended: [ProcessIdentity] = []
        var kept = QuotaCounts<ProcessIdentity>(quota)
        // The newest first, so that the oldest are too many.
        for (process, entry) in idle {
            let isConcerned = concerned.contains(process)
            if isConcerned, kept.take(process, of: entry.peer.caller.user) == nil { continue }
            entries[process] = nil
            dropped.append(entry)
            if isConcerned { ended.append(process) }
        }
        return (dropped, ended)
    }
}
