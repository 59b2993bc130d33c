import Authorization
import LinuxSystem
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Admits connections to a server: bounds their number, and identifies the process of each before it is served.
package struct Admission: Sendable {
    package let inspector: CallerInspector
    private let processes: ProcessWatch
    package let table: ConnectionTable
    package let logger: Logger
    private let commandLine: Manifest

    package let connections = ConnectionTasks()

    /// - Parameters:
    ///   - quotas: of the connections to this server alone.
    ///   - commandLine: VoiceGate's own.
    package init(
        inspector: CallerInspector, processes: ProcessWatch, quotas: ServiceQuotas, logger: Logger,
        commandLine: Manifest
    ) {
        (self.inspector, self.processes, self.logger) = (inspector, processes, logger)
        self.commandLine = commandLine
        table = ConnectionTable(quotas, logger: logger)
    }

    /// Counts a new connection until it is closed. Runs on the connection's event loop.
    ///
    /// - Parameter isTCP: the kernel reports the user alone then, whose TCP connections count as one program. Those of users that
    ///   are not served count as one program of no user.
    package func enter(
        _ channel: any Channel, isTCP: Bool = false
    ) -> (place: ConnectionTable.Place, peer: PeerCredentials) {
        let found = Self.withDescriptor(of: channel) { socket -> PeerCredentials? in
            isTCP ? inspector.credentials(tcp: socket) : try PeerCredentials(socket: socket)
        }
        let peer = (found ?? nil) ?? PeerCredentials(processIdentifier: 0, user: .max)
        guard isTCP || peer.processIdentifier > 0 else {
            let error = RouteError(.unavailable, "The service cannot identify your program. Connect again.")
            table.report(error, peer)
            return (.refused(error), peer)
        }
        return (table.enter(channel, of: peer), peer)
    }

    /// Our own descriptor for the inspection, because the channel may be closed before it. Runs on the connection's event
    /// loop.
    package static func descriptor(of channel: any Channel) -> Int32 {
        withDescriptor(of: channel) { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
    }

    /// Sends an answer to a connection that is not read, and closes it. Runs on the connection's event loop.
    package static func refuse(
        _ channel: any Channel, with answer: () throws -> ByteBuffer
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(LastWords(answer()))
        }
    }

    /// Serves a connection whose process can be identified.
    ///
    /// - Parameters:
    ///   - credentials: as `enter` found them.
    ///   - isCounted: whether its program may have too many connections.
    ///   - refuse: closes the connection.
    ///   - serve: returns when the connection is closed. With an error: the program has too many.
    package func admit(
        _ credentials: PeerCredentials, isCounted: Bool = true, inspecting inspect: () async throws -> ConnectedCaller,
        refuse: (any Error) async -> Void, serve: (ConnectedCaller, RouteError?) async -> Void
    ) async {
        let peer: ConnectedCaller
        do {
            peer = try await inspect()
        } catch {
            table.report(error, credentials)
            return await refuse(error)
        }
        let program = isCounted ? await program(of: peer) : nil
        let error = program.flatMap { table.admit($0, of: peer.caller) }
        processes.watch(peer)
        await serve(peer, error)
        if let program, error == nil { table.dismiss(program, of: peer.caller.user) }
        await processes.release(peer)
    }

    /// The process that a connection counts as: that of the program that runs the command line; `nil`: the user does.
    private func program(of peer: ConnectedCaller) async -> ProcessIdentity? {
        guard (try? await peer.matches(commandLine, as: peer.caller)) == true else { return peer.caller.process }
        return switch await peer.responsible() {
        case .itself(let wrapper): wrapper
        case .program(let program): program.process
        case .unknown: peer.caller.process
        }
    }

    private static func withDescriptor<Value>(of channel: any Channel, _ work: (Int32) throws -> Value) -> Value? {
        try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, work)
    }
}

/// The tasks of the open connections, cancelled together.
package final class ConnectionTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var isStopping = false
    }

    private let state = Mutex(State())

    package func run(_ work: @escaping @Sendable () async -> Void) {
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

    package func stop() async {
        let tasks = state.withLock { state in
            state.isStopping = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
