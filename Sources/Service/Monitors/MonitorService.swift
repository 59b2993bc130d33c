import Authorization
import Base
import Consent
import Foundation
import Logging
import Server
import ServiceLifecycle
import Sessions
import SocketAPI
import Speech

/// Runs the monitors: listens if that is allowed and no session of the client runs, and acts when one is triggered.
package actor MonitorService: Service {
    package struct Parts: Sendable {
        let device: String
        let clients: ClientResolver
        let runner: SessionRunner
        let log: ConsentLog
        let source: any MicrophoneSource
        let recognizer: any Recognizer
        let act: MonitorAct
        let logger: Logger
        let now: @Sendable () -> Moment

        package init(
            device: String, clients: ClientResolver, runner: SessionRunner, log: ConsentLog,
            source: any MicrophoneSource, recognizer: any Recognizer, act: MonitorAct, logger: Logger,
            now: @escaping @Sendable () -> Moment
        ) {
            (self.device, self.clients, self.runner, self.log) = (device, clients, runner, log)
            (self.source, self.recognizer, self.act) = (source, recognizer, act)
            (self.logger, self.now) = (logger, now)
        }
    }

    let parts: Parts
    var book: MonitorBook
    var pauses: [String: RefusalCode] = [:]
    var backOffs: [String: MonitorBackOff] = [:]
    var listeners: [MonitorOwner: (listener: MonitorListener, task: Task<Void, Never>)] = [:]
    /// Running clients that a monitor started, and notifications that are being shown.
    var acting: [MonitorOwner: MonitorRegistration] = [:]
    /// The open streams of running clients, newest last.
    var readers: [MonitorOwner: [MonitorReader]] = [:]
    var unacknowledged: [MonitorOwner: UnacknowledgedEvent] = [:]
    /// What a client has neither acknowledged nor been started with, newest last.
    var undelivered: [MonitorOwner: [MonitorEvent]] = [:]
    /// Monitors that have notified the person their only time. Other programs see no difference, so that they do not learn it.
    var spent: [MonitorRegistration] = []
    private var retries: [MonitorOwner: Task<Void, Never>] = [:]
    /// Owners whose monitors are being evaluated, and whether they are to be again.
    private var evaluating: [MonitorOwner: Bool] = [:]
    private var isStopping = false
    var isRestored = false

    /// Reads the monitors of earlier runs from the log.
    package init(_ parts: Parts) async throws {
        self.parts = parts
        // If the log cannot be read, no monitor listens until it is registered again.
        self.book = MonitorBook((try? await parts.log.monitors()) ?? [])
    }

    package func run() async throws {
        await parts.runner.registry.setFollower(self)
        let changes = parts.runner.gate.history.signals()
        await watchStartedClients()
        for owner in book.owners { evaluate(owner) }
        for await users in changes.cancelOnGracefulShutdown() {
            for owner in book.owners.union(spent.map { MonitorOwner($0) }) where users.contains(owner.user) {
                evaluate(owner)
            }
        }
        isStopping = true
        for retry in retries.values { retry.cancel() }
        for (listener, task) in listeners.values {
            listener.abandon(.serviceStopped)
            await task.value
        }
    }

    /// Evaluates a client's monitors again, once at a time.
    func evaluate(_ owner: MonitorOwner) {
        guard isRestored, !isStopping else { return }
        guard evaluating.updateValue(true, forKey: owner) == nil else { return }
        evaluating[owner] = false
        Task {
            await evaluateNow(owner)
            if evaluating.removeValue(forKey: owner) == true { evaluate(owner) }
        }
    }

    private func evaluateNow(_ owner: MonitorOwner) async {
        let allowed = await allowedMonitors(of: owner)
        let now = parts.now()
        var waits = allowed.monitors.compactMap { backOffs[$0.identifier]?.wait(at: now) }
        // The kernel does not report that a client comes to the foreground.
        let waitsForUse = book.monitors(of: owner).contains { pauses[$0.identifier] == .notInUse }
        if readers[owner] != nil, waitsForUse { waits.append(IndicatorBoard.presenceInterval) }
        retries.removeValue(forKey: owner)?.cancel()
        if let wait = waits.min() {
            retries[owner] = Task {
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                evaluate(owner)
            }
        }
        var wanted = allowed.monitors.filter { backOffs[$0.identifier]?.wait(at: now) == nil }
        if isBusy(owner) { wanted = [] }
        if await parts.runner.registry.hasSession(of: owner) { wanted = [] }
        if let listener = listeners[owner]?.listener, listener.monitors == wanted,
            listener.requester.caller.process == allowed.requester?.caller.process
        {
            return
        }
        await stopListening(owner)
        guard !wanted.isEmpty, let requester = allowed.requester, !isStopping else { return }
        listen(owner, wanted, requester)
    }

    /// While a started client runs without a stream, or an event is not acknowledged, another could not be delivered.
    func isBusy(_ owner: MonitorOwner) -> Bool {
        if unacknowledged[owner] != nil { return true }
        guard let acting = acting[owner] else { return false }
        return acting.action == .notify || readers[owner] == nil
    }

    /// Returns when the device is closed: a client's own session comes before its monitors.
    func stopListening(_ owner: MonitorOwner) async {
        guard let (listener, task) = listeners[owner] else { return }
        listener.stop()
        await task.value
    }

    private func listen(_ owner: MonitorOwner, _ monitors: [MonitorRegistration], _ requester: Requester) {
        let reader = readers[owner]?.last
        let listener = MonitorListener(monitors, requester, parts) {
            await reader?.connection.peer.presence() ?? .background
        }
        let task = Task {
            let outcome: MonitorListener.Outcome
            do {
                let needsSpeech = monitors.contains { $0.kind.phrase != nil }
                outcome = try await parts.runner.run(
                    listener, device: parts.device, resources: needsSpeech ? nil : [.microphone], on: nil, start: {},
                    work: { _ in await listener.listen() }
                ).value
            } catch {
                outcome = .failed((error as? RouteError)?.message ?? "\(error)")
            }
            listeners[owner] = nil
            await ended(outcome, listener, owner)
        }
        listeners[owner] = (listener, task)
    }

    private func ended(
        _ outcome: MonitorListener.Outcome, _ listener: MonitorListener, _ owner: MonitorOwner
    ) async {
        // The sessions are stopped first: the monitors have not failed by that.
        let isStopped = await parts.runner.registry.isStopping
        guard !isStopping, !isStopped else { return }
        switch outcome {
        case .triggered(let monitor):
            await trigger(monitor, owner)
        case .failed(let reason):
            for monitor in listener.monitors { await fail(monitor, reason) }
        case .ended(DictationEnding.serviceStopped.rawValue): return
        case .ended: break
        }
        evaluate(owner)
    }

    func fail(_ monitor: MonitorRegistration, _ reason: String) async {
        noteFailure(monitor, reason)
        await write(monitor, .failed(reason))
    }

    func noteFailure(_ monitor: MonitorRegistration, _ reason: String) {
        guard book.monitors.contains(monitor) else { return }
        backOffs[monitor.identifier, default: MonitorBackOff()].failed(reason, at: parts.now())
    }

    /// It ends first, even if the log cannot be written.
    func end(_ monitor: MonitorRegistration, _ reason: MonitorRemoval) async {
        if monitor.action == .notify, reason == .once { spent = (spent + [monitor]).suffix(MonitorBook.mostOfUser) }
        forget(monitor)
        await write(monitor, .removed(reason))
    }

    func forget(_ monitor: MonitorRegistration) {
        book.remove(monitor.identifier)
        pauses[monitor.identifier] = nil
        backOffs[monitor.identifier] = nil
    }

    /// The monitors that may listen now. Records changes of the others.
    private func allowedMonitors(
        of owner: MonitorOwner
    ) async -> (monitors: [MonitorRegistration], requester: Requester?) {
        let subject = await subject(of: owner)
        var allowed: [MonitorRegistration] = []
        for monitor in book.monitors(of: owner) {
            var permission = MonitorPermission.paused(.missingManifest)
            if let subject { permission = await parts.runner.gate.permission(of: monitor, for: subject.requester) }
            switch permission {
            case .allowed:
                if pauses.removeValue(forKey: monitor.identifier) != nil { await write(monitor, .resumed) }
                allowed.append(monitor)
            case .paused(let reason):
                guard pauses.updateValue(reason, forKey: monitor.identifier) != reason else { continue }
                await write(monitor, .paused(reason))
            case .ended(let reason): await end(monitor, reason)
            }
        }
        if owner.action == .notify { await showToOthers(owner, subject?.requester) }
        return (allowed, subject?.requester)
    }

    /// - Returns: whether it was recorded.
    @discardableResult
    func write(_ monitor: MonitorRegistration, _ occurrence: MonitorOccurrence) async -> Bool {
        if let event = MonitorEvent(reporting: occurrence, of: monitor) {
            for reader in readers[MonitorOwner(monitor)] ?? [] { reader.send(event) }
        }
        do {
            try await parts.log.record(.monitor(monitor, occurrence), changing: nil)
            return true
        } catch {
            parts.logger.error(
                "a monitor's event cannot be recorded",
                metadata: ["monitor": "\(monitor.identifier)", "error": "\(error)"])
            return false
        }
    }

    // MARK: Registering

    /// Refuses a monitor that cannot work.
    func check(_ monitor: MonitorRegistration, _ manifest: Manifest) async throws {
        if monitor.action == .start { try parts.act.check(manifest) }
        if let problem = await parts.source.problem(of: parts.device) { throw problem }
    }

    /// Records the monitor and lets it listen.
    ///
    /// - Throws: `MonitorError`, `AuthorizationError` if the permission is not sufficient, or the log's error.
    func register(_ monitor: MonitorRegistration, for requester: Requester, by caller: Caller) async throws {
        try book.check(monitor)
        if let refusal = await parts.runner.gate.refusal(of: monitor, for: requester) { throw refusal }
        // Checked again: others may have registered meanwhile. There is no suspension between this check and the entry.
        try book.check(monitor)
        book.add(monitor)
        do {
            try await parts.log.record(.monitor(monitor, .registered(by: caller)), changing: nil)
        } catch {
            forget(monitor)
            throw error
        }
        evaluate(MonitorOwner(monitor))
    }

    func remove(_ monitor: MonitorRegistration) async throws {
        forget(monitor)
        evaluate(MonitorOwner(monitor))
        for reader in readers[MonitorOwner(monitor)] ?? [] {
            reader.send(MonitorEvent(.removed, of: monitor, reason: MonitorRemoval.removed.rawValue))
        }
        try await parts.log.record(.monitor(monitor, .removed(.removed)), changing: nil)
    }

    /// For a client that is uninstalled.
    package func removeAll(of client: ClientIdentifier, _ user: UInt32) async throws {
        spent.removeAll { $0.user == user && $0.client == client }
        for monitor in book.monitors where monitor.user == user && monitor.client == client {
            try await remove(monitor)
        }
        evaluate(MonitorOwner(user: user, client: client, action: .notify))
    }
}

extension MonitorService: SessionFollower {
    package func sessionBegins(of requester: Requester) async {
        for owner in MonitorOwner.all(of: requester) { await stopListening(owner) }
    }

    package func sessionEnded(of requester: Requester) {
        for owner in MonitorOwner.all(of: requester) { evaluate(owner) }
    }
}

extension MonitorEvent {
    /// - Returns: `nil` for what a client is not sent, or is sent to be acknowledged.
    init?(reporting occurrence: MonitorOccurrence, of monitor: MonitorRegistration) {
        switch occurrence {
        case .failed(let reason): self.init(.failed, of: monitor, reason: reason)
        case .paused(let reason): self.init(.paused, of: monitor, reason: reason.rawValue)
        case .resumed: self.init(.resumed, of: monitor)
        case .removed(let reason): self.init(.removed, of: monitor, reason: reason.rawValue)
        case .registered, .triggered, .started, .exited: return nil
        }
    }
}

extension MonitorOwner {
    init(_ requester: Requester) { self.init(user: requester.caller.user, client: requester.client.identifier) }

    fileprivate static func all(of requester: Requester) -> [MonitorOwner] {
        MonitorAction.allCases.map {
            MonitorOwner(user: requester.caller.user, client: requester.client.identifier, action: $0)
        }
    }
}
