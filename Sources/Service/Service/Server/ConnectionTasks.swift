import Authorization
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Admits connections to a server: bounds their number, and identifies the process of each before it is served.
struct Admission: Sendable {
    let inspector: CallerInspector
    let processes: ProcessWatch
    let logger: Logger
    /// Whether a connection is not counted with the clients'.
    let isCommandLine: @Sendable (Caller) -> Bool

    let connections = ConnectionTasks()

    /// Counts a new connection until it is closed. Runs on the connection's event loop.
    ///
    /// - Parameter process: of the peer, if the kernel reports it before the inspection.
    /// - Returns: a descriptor of our own, because the channel may be closed before the inspection; `nil` if there are too
    ///   many connections, and the caller then closes this one.
    func enter(_ channel: any Channel, of process: Int32? = nil) -> Int32? {
        guard connections.enter(process) else { return nil }
        channel.closeFuture.whenComplete { _ in connections.leave(process) }
        return
            (try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }) ?? -1
    }

    /// Serves a connection whose process can be identified and has not too many others.
    ///
    /// - Parameters:
    ///   - refuse: closes the connection; `nil`: there are too many.
    ///   - serve: returns when the connection is closed.
    func admit(
        inspecting inspect: () async throws -> ConnectedCaller, refuse: (_ error: (any Error)?) async -> Void,
        serve: (ConnectedCaller) async -> Void
    ) async {
        let peer: ConnectedCaller
        do {
            peer = try await inspect()
        } catch {
            logger.notice("a connection was refused", metadata: ["reason": "\(error)"])
            return await refuse(error)
        }
        let process = peer.caller.process
        let isClient = !isCommandLine(peer.caller)
        if isClient, !connections.admit(process) {
            logger.notice("too many connections", metadata: ["process": "\(process.processIdentifier)"])
            return await refuse(nil)
        }
        defer { if isClient { connections.dismiss(process) } }
        processes.watch(peer)
        await serve(peer)
    }
}

/// The tasks of the open connections: counted, and cancelled together.
final class ConnectionTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var open = 0
        /// Connections of each process whose identity is not known yet, by its identifier.
        var arrived: [Int32: Int] = [:]
        var ofProcess: [ProcessIdentity: Int] = [:]
        /// Of all processes but the command line's.
        var ofClients = 0
        var isStopping = false
    }

    /// Connections at a time, identified or not. Each may stream for hours, so they are counted and not queued.
    static let most = 512
    /// Connections of all clients; the others are for the command line, so that clients cannot lock the user out.
    static let mostOfClients = 192
    /// Connections of one client's process.
    static let mostOfProcess = 64

    private let state = Mutex(State())

    /// - Parameter process: bounded before its inspection, so that one that opens a thousand leaves room for others.
    /// - Returns: `false` if there are too many, or the server stops; the caller then closes the connection.
    func enter(_ process: Int32? = nil) -> Bool {
        state.withLock { state in
            guard !state.isStopping, state.open < Self.most else { return false }
            if let process {
                guard state.arrived[process, default: 0] < Self.mostOfProcess else { return false }
                state.arrived[process, default: 0] += 1
            }
            state.open += 1
            return true
        }
    }

    func leave(_ process: Int32? = nil) {
        state.withLock { state in
            state.open -= 1
            guard let process else { return }
            let left = state.arrived[process, default: 1] - 1
            state.arrived[process] = left > 0 ? left : nil
        }
    }

    /// Counts a connection whose process is known.
    ///
    /// - Returns: `false` if that process, or all clients together, have too many; the caller then closes the connection.
    func admit(_ process: ProcessIdentity) -> Bool {
        state.withLock { state in
            guard state.ofClients < Self.mostOfClients, state.ofProcess[process, default: 0] < Self.mostOfProcess else {
                return false
            }
            state.ofClients += 1
            state.ofProcess[process, default: 0] += 1
            return true
        }
    }

    func dismiss(_ process: ProcessIdentity) {
        state.withLock { state in
            state.ofClients -= 1
            let left = state.ofProcess[process, default: 1] - 1
            state.ofProcess[process] = left > 0 ? left : nil
        }
    }

    func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            let task = Task {
                await work()
                self.state.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            if state.isStopping { task.cancel() }
        }
    }

    func stop() async {
        let tasks = state.withLock { state in
            state.isStopping = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
