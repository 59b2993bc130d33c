import Authorization
import LinuxSystem
import Logging
import Server
import Speech

/// Runs the sessions of dictation, files and monitors: registers a session, watches its client, starts it,
/// runs it and removes it. The users differ in what they start and where its events go.
package struct SessionRunner: Sendable {
    package let gate: Gate
    package let ledger: any Ledger
    package let registry: SessionRegistry

    package init(gate: Gate, ledger: any Ledger, registry: SessionRegistry) {
        (self.gate, self.ledger, self.registry) = (gate, ledger, registry)
    }

    /// What a session of the connection's client needs.
    ///
    /// - Parameter keeper: `nil`: nothing is kept.
    package func context(
        of requester: Requester, on connection: Connection, keeper: (any Keeper)?
    ) async -> SessionContext {
        SessionContext(
            requester: requester, gate: gate, ledger: ledger, keeper: keeper,
            presence: { await connection.peer.presence() },
            sharing: await ObservedSharing(connection, requester), onEngine: registry.noteEngine)
    }

    /// Returns when the session has started; it is abandoned when its client disconnects.
    ///
    /// - Parameters:
    ///   - device: the session's microphone; `nil`: none.
    ///   - resources: default: both, or speech recognition only if there is no device.
    ///   - connection: of the client; `nil`: the service itself runs the session.
    ///   - start: if it throws, the session is removed.
    ///   - work: runs the session to its end, with what `start` returned.
    ///   - afterwards: runs after the session's removal; its task is cancelled when the client disconnects.
    /// - Returns: the task that runs the session.
    @discardableResult
    package func run<Started: Sendable, Value: Sendable>(
        _ session: any EndableSession, device: String?, resources: [Resource]? = nil, on connection: Connection?,
        start: () async throws -> Started, work: @escaping @Sendable (Started) async -> Value,
        afterwards: (@Sendable () async -> Void)? = nil
    ) async throws -> Task<Value, Never> {
        try await registry.add(session, device: device, resources: resources)
        // Before the start, and not left to the response's stream, which may never be read.
        let watch = connection?.watch { session.abandon(.disconnected) }
        let started: Started
        do {
            started = try await start()
        } catch {
            watch?.cancel()
            await registry.remove(session)
            throw error
        }
        return Task {
            let value = await work(started)
            await registry.remove(session)
            if let afterwards {
                // A separate task: its cancellation must not reach the records of the session.
                let task = Task { await afterwards() }
                let registration = watch?.onEnd { task.cancel() }
                await task.value
                registration?.cancel()
            }
            watch?.cancel()
            return value
        }
    }

    /// The same for a session whose events its client reads.
    ///
    /// - Parameter timeout: seconds of the session that an event may stay unread; then the client counts as stalled.
    package func stream(
        _ session: any ClientSession, device: String?, on connection: Connection, timeout: Double = 30,
        start: () async throws -> Void,
        work: @escaping @Sendable (@escaping @Sendable (TimedDictationEvent) -> Void) async throws -> Void
    ) async throws -> SessionEvents {
        let events = SessionEvents(timeout: timeout, passing: { session.passing($0) }) {
            session.abandon(.clientStalled)
        }
        try await run(
            session, device: device, on: connection, start: start,
            work: { _ in
                do {
                    try await work { event in
                        registry.note(event.event, of: session)
                        events.send(event)
                    }
                    events.finish()
                } catch {
                    events.finish(throwing: error)
                }
                if await registry.isStopping { await events.whenRead(within: .seconds(2)) }
            })
        return events
    }
}

/// Whether a session's words can leave the machine: what the client declares, and whether the kernel gives it a network.
struct ObservedSharing: SharingWatch {
    let atStart: Sharing
    private let connection: Connection
    private let requester: Requester
    private let networks: ClosedNetworks?

    init(_ connection: Connection, _ requester: Requester) async {
        self.connection = connection
        self.requester = requester
        let finding = await connection.peer.network(actingAs: requester.caller)
        if case .closed(let networks) = finding { self.networks = networks } else { networks = nil }
        atStart = Sharing(requester.client.manifest?.practices, hasNetwork: networks == nil)
        if case .unclear(let reason) = finding { log("a client in its own network is not verified", reason) }
    }

    /// If the client has ended, its networks at the start decide; if it runs, its network is inspected again.
    func atEnd() async -> Sharing {
        guard let networks else { return atStart }
        var problem = networks.areClosed() ? nil : "its network got another device than lo"
        if problem == nil, !connection.peer.isOver {
            switch await connection.peer.network(actingAs: requester.caller) {
            case .closed: break
            case .hosts: problem = "it went into the host's network"
            case .unclear(let reason): problem = reason
            }
            // A client that ended during the inspection cannot be inspected, and has done nothing since.
            if connection.peer.isOver { problem = nil }
        }
        guard let problem else { return .verified }
        log("a client without a network had one at the end of its session", problem)
        return Sharing(requester.client.manifest?.practices)
    }

    private func log(_ what: Logger.Message, _ reason: String) {
        Logger(label: "voicegated").warning(
            what,
            metadata: [
                "client": "\(requester.client.identifier)", "reason": "\(reason)",
                "process": "\(requester.caller.process.processIdentifier)",
            ])
    }
}
