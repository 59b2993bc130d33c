import Authorization
import Consent
import Foundation
import Logging
import ServiceLifecycle
import SocketAPI
import Speech

/// Runs the monitors: listens if that is allowed and no session of the client runs, and acts when one is triggered.
actor MonitorService: Service {
    struct Parts: Sendable {
        let device: String
        let clients: ClientResolver
        let runner: SessionRunner
        let log: ConsentLog
        let source: any MicrophoneSource
        let recognizer: any Recognizer
        let act: MonitorAct
        let logger: Logger
    }

    let parts: Parts
    var book: MonitorBook
    var pauses: [String: RefusalCode] = [:]
    var backOffs: [String: MonitorBackOff] = [:]
    var listeners: [MonitorOwner: (listener: MonitorListener, task: Task<Void, Never>)] = [:]
    /// Running clients that a monitor started.
    var acting: [MonitorOwner: MonitorRegistration] = [:]
    private var retries: [MonitorOwner: Task<Void, Never>] = [:]
    /// Owners whose monitors are being evaluated, and whether they are to be again.
    private var evaluating: [MonitorOwner: Bool] = [:]
    private var isStopping = false

    /// Reads the monitors of earlier runs from the log.
    init(_ parts: Parts) async throws {
        self.parts = parts
        // If the log cannot be read, no monitor listens until it is registered again.
        self.book = MonitorBook((try? await parts.log.monitors()) ?? [])
    }

    func run() async throws {
        await parts.runner.registry.setMonitors(self)
        let changes = parts.runner.gate.history.signals()
        for owner in book.owners { evaluate(owner) }
        for await _ in changes.cancelOnGracefulShutdown() {
            for owner in book.owners { evaluate(owner) }
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
        guard !isStopping else { return }
        guard evaluating.updateValue(true, forKey: owner) == nil else { return }
        evaluating[owner] = false
        Task {
            await evaluateNow(owner)
            if evaluating.removeValue(forKey: owner) == true { evaluate(owner) }
        }
    }

    private func evaluateNow(_ owner: MonitorOwner) async {
        let allowed = await allowedMonitors(of: owner)
        let now = ContinuousClock.now
        let waits = allowed.monitors.compactMap { backOffs[$0.identifier]?.wait(at: now) }
        retries.removeValue(forKey: owner)?.cancel()
        if let wait = waits.min() {
            retries[owner] = Task {
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                evaluate(owner)
            }
        }
        var wanted = allowed.monitors.filter { backOffs[$0.identifier]?.wait(at: now) == nil }
        if acting[owner] != nil { wanted = [] }
        if await parts.runner.registry.hasSession(of: owner) { wanted = [] }
        if listeners[owner]?.listener.monitors == wanted { return }
        await stopListening(owner)
        guard !wanted.isEmpty, let requester = allowed.requester, !isStopping else { return }
        listen(owner, wanted, requester)
    }

    /// Returns when the device is closed: a client's own session comes before its monitors.
    func stopListening(_ owner: MonitorOwner) async {
        guard let (listener, task) = listeners[owner] else { return }
        listener.stop()
        await task.value
    }

    private func listen(_ owner: MonitorOwner, _ monitors: [MonitorRegistration], _ requester: Requester) {
        let listener = MonitorListener(monitors, requester, parts)
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
        guard !isStopping else { return }
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
        backOffs[monitor.identifier, default: MonitorBackOff()].failed(at: .now)
        await write(monitor, .failed(reason: reason))
    }

    /// - Returns: whether it was recorded.
    @discardableResult
    func write(_ monitor: MonitorRegistration, _ occurrence: MonitorOccurrence) async -> Bool {
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
        try await parts.log.record(.monitor(monitor, .removed(.removed)), changing: nil)
    }

    /// - Parameter client: `nil`: of all clients.
    func monitors(ofUser user: UInt32, client: ClientIdentifier?) -> [MonitorsReply.Monitor] {
        book.monitors.filter { $0.user == user && (client == nil || $0.client == client) }.map(shown)
    }

    func shown(_ monitor: MonitorRegistration) -> MonitorsReply.Monitor {
        let owner = MonitorOwner(monitor)
        let wait = backOffs[monitor.identifier]?.wait(at: .now)
        let state: MonitorsReply.State =
            if pauses[monitor.identifier] != nil {
                .paused
            } else if acting[owner] != nil {
                .running
            } else if wait != nil {
                .waiting
            } else if listeners[owner]?.listener.monitors.contains(monitor) == true {
                .listening
            } else {
                .off
            }
        return MonitorsReply.Monitor(
            monitor, state: state, reason: pauses[monitor.identifier],
            failures: backOffs[monitor.identifier]?.failures ?? 0,
            nextAttempt: wait.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) })
    }
}

extension MonitorOwner {
    init(_ requester: Requester) { self.init(user: requester.caller.user, client: requester.client.identifier) }
}
