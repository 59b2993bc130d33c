import Authorization
import LinuxSystem
import Server
import Sessions
import SocketAPI

/// A client's open stream of monitor events.
final class MonitorReader: Sendable {
    let owner: MonitorOwner
    let connection: Connection
    let events: AsyncStream<MonitorEvent>
    private let continuation: AsyncStream<MonitorEvent>.Continuation

    init(_ owner: MonitorOwner, on connection: Connection) {
        self.owner = owner
        self.connection = connection
        // A client that does not read loses the oldest; one that must be acknowledged is sent to the next stream.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    func send(_ event: MonitorEvent) { continuation.yield(event) }

    func finish() { continuation.finish() }
}

/// An event that a running client has not acknowledged yet.
struct UnacknowledgedEvent: Sendable {
    let monitor: MonitorRegistration
    let event: String
    let reader: MonitorReader
}

/// What follows when a monitor is triggered: a client with an open stream gets the event there, any other is started.
extension MonitorService {
    static let acknowledgementTimeout = Duration.seconds(10)
    /// Events that a client has not got; the newest are kept.
    static let mostUndelivered = 32

    /// The client of the monitors: as the process that reads their events, if there is one.
    func subject(of owner: MonitorOwner) async -> (manifest: Manifest, requester: Requester)? {
        if let reader = readers[owner]?.last, let requester = try? await parts.clients.requester(on: reader.connection),
            MonitorOwner(requester) == owner, let manifest = requester.client.manifest
        {
            return (manifest, requester)
        }
        return await parts.clients.registered(owner.client, user: owner.user)
    }

    // MARK: The client's stream

    func open(_ reader: MonitorReader) {
        readers[reader.owner, default: []].append(reader)
        for event in undelivered[reader.owner] ?? [] { reader.send(event) }
        evaluate(reader.owner)
    }

    func close(_ reader: MonitorReader) async {
        reader.finish()
        let owner = reader.owner
        guard var others = readers[owner], let index = others.firstIndex(where: { $0 === reader }) else { return }
        others.remove(at: index)
        readers[owner] = others.isEmpty ? nil : others
        if let sent = unacknowledged[owner], sent.reader === reader {
            unacknowledged[owner] = nil
            await deliverAgain(sent, owner)
        }
        evaluate(owner)
    }

    /// The stream ended before the acknowledgement: the client has ended, or will not answer.
    private func deliverAgain(_ sent: UnacknowledgedEvent, _ owner: MonitorOwner) async {
        if readers[owner] == nil {
            guard acting[owner] == nil, let subject = await parts.clients.registered(owner.client, user: owner.user),
                await parts.runner.gate.permission(of: sent.monitor, for: subject.requester) == .allowed
            else {
                return await fail(sent.monitor, "Its client closed the stream before it had acknowledged the event.")
            }
            return await deliver(sent.monitor, owner, subject.manifest)
        }
        send(sent.monitor, owner)
    }

    func acknowledge(_ event: String, by owner: MonitorOwner) throws(RouteError) {
        guard let index = undelivered[owner]?.firstIndex(where: { $0.event == event }) else {
            throw RouteError(.notFound, "You have no event with this ID, or it was acknowledged.")
        }
        undelivered[owner]?.remove(at: index)
        guard let sent = unacknowledged[owner], sent.event == event else { return }
        unacknowledged[owner] = nil
        Task {
            await succeeded(sent.monitor)
            evaluate(owner)
        }
    }

    private func notAcknowledged(_ event: String, _ owner: MonitorOwner) async {
        guard let sent = unacknowledged[owner], sent.event == event else { return }
        unacknowledged[owner] = nil
        await fail(sent.monitor, "Its running client did not acknowledge the event within 10 s.")
        evaluate(owner)
    }

    // MARK: Acting

    /// Does what the monitor is for.
    func trigger(_ monitor: MonitorRegistration, _ owner: MonitorOwner) async {
        guard book.monitors.contains(monitor), let subject = await subject(of: owner),
            await parts.runner.gate.permission(of: monitor, for: subject.requester) == .allowed,
            await write(monitor, .triggered)
        else { return }
        switch monitor.action {
        case .start:
            let events = undelivered[owner, default: []] + [MonitorEvent(.triggered, of: monitor)]
            undelivered[owner] = events.suffix(Self.mostUndelivered)
            if readers[owner] == nil { await deliver(monitor, owner, subject.manifest) } else { send(monitor, owner) }
        case .notify: await notify(monitor, owner, subject.manifest)
        }
    }

    private func send(_ monitor: MonitorRegistration, _ owner: MonitorOwner) {
        guard let reader = readers[owner]?.last, let event = undelivered[owner]?.last else { return }
        unacknowledged[owner] = UnacknowledgedEvent(monitor: monitor, event: event.event, reader: reader)
        reader.send(event)
        Task {
            try? await Task.sleep(for: Self.acknowledgementTimeout)
            await notAcknowledged(event.event, owner)
        }
    }

    /// Starts the client with all events that it has not got.
    private func deliver(_ monitor: MonitorRegistration, _ owner: MonitorOwner, _ manifest: Manifest) async {
        do {
            let running = try parts.act.start(MonitorLaunch(events: undelivered[owner] ?? []), manifest)
            undelivered[owner] = nil
            acting[owner] = monitor
            // Read before anything waits for its end.
            if let process = running.identity { await write(monitor, .started(process, boot: parts.now().boot)) }
            watch(running, monitor, owner)
            if monitor.isOnce { await end(monitor, .once) }
        } catch {
            await fail(monitor, error.message)
        }
    }

    private func notify(_ monitor: MonitorRegistration, _ owner: MonitorOwner, _ manifest: Manifest) async {
        acting[owner] = monitor
        // Not awaited: a desktop may not answer.
        Task {
            do throws(ProcessError) {
                try await parts.act.notify(monitor, manifest.name)
                await succeeded(monitor)
            } catch {
                await fail(monitor, error.message)
            }
            acting[owner] = nil
            evaluate(owner)
        }
    }

    /// Clients that an earlier run of the service started: their end is recorded once, now or when it comes.
    func watchStartedClients() async {
        for client in (try? await parts.log.startedClients()) ?? [] {
            let monitor = client.monitor
            if client.boot == parts.now().boot, let running = ProgramLaunch.running(client.process) {
                acting[MonitorOwner(monitor)] = monitor
                watch(running, monitor, MonitorOwner(monitor))
            } else {
                await write(monitor, .exited(.whileStopped))
            }
        }
        isRestored = true
    }

    /// Not awaited: the client may run for hours.
    private func watch(_ running: ProgramLaunch.Running, _ monitor: MonitorRegistration, _ owner: MonitorOwner) {
        Task {
            let status = await running.exitStatus()
            await ended(monitor, owner, status)
        }
    }

    private func ended(_ monitor: MonitorRegistration, _ owner: MonitorOwner, _ status: Int32?) async {
        let exit = status.map { MonitorExit.status($0) } ?? .unknownStatus
        await write(monitor, .exited(exit))
        if let failure = exit.failure {
            noteFailure(monitor, failure)
        } else if exit != .unknownStatus {
            await succeeded(monitor)
        }
        acting[owner] = nil
        evaluate(owner)
    }

    private func succeeded(_ monitor: MonitorRegistration) async {
        guard book.monitors.contains(monitor) else { return }
        backOffs[monitor.identifier, default: MonitorBackOff()].succeeded(at: parts.now())
        if monitor.isOnce { await end(monitor, .once) }
    }
}
