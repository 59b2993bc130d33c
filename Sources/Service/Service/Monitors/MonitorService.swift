import Authorization
import Consent
import Foundation
import LinuxSystem
import Logging
import ServiceLifecycle
import SocketAPI
import Speech

/// Runs the monitors: listens where that is allowed and nothing else of the client does, and acts when one has its cause.
actor MonitorService: Service {
    struct Parts: Sendable {
        let device: String
        let clients: ClientResolver
        let gate: Gate
        let log: ConsentLog
        let source: any MicrophoneSource
        let recognizer: any Recognizer
        let registry: SessionRegistry
        let act: MonitorAct
        let logger: Logger
    }

    let parts: Parts
    var book: MonitorBook
    var pauses: [String: RefusalCode] = [:]
    var backOffs: [String: MonitorBackOff] = [:]
    var listeners: [MonitorOwner: (listener: MonitorListener, task: Task<Void, Never>)] = [:]
    /// Clients that were started by a monitor and run.
    var acting: [MonitorOwner: MonitorRegistration] = [:]
    private var retries: [MonitorOwner: Task<Void, Never>] = [:]
    private var evaluating: Set<MonitorOwner> = []
    private var evaluatingAgain: Set<MonitorOwner> = []
    private var isStopping = false

    /// Knows the monitors of earlier runs from the log.
    init(_ parts: Parts) async throws {
        self.parts = parts
        // Of a log that cannot be read nothing is known; nothing listens then without a new yes.
        self.book = MonitorBook((try? await parts.log.monitors()) ?? [])
    }

    func run() async throws {
        await parts.registry.setNeighbour(self)
        let changes = parts.gate.history.signals()
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

    /// Looks at a client's monitors anew, one look at a time.
    func evaluate(_ owner: MonitorOwner) {
        guard !isStopping else { return }
        guard evaluating.insert(owner).inserted else {
            evaluatingAgain.insert(owner)
            return
        }
        Task {
            await look(at: owner)
            evaluating.remove(owner)
            if evaluatingAgain.remove(owner) != nil { evaluate(owner) }
        }
    }

    private func look(at owner: MonitorOwner) async {
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
        if await parts.registry.hasSession(of: owner) { wanted = [] }
        if listeners[owner]?.listener.monitors == wanted { return }
        await stopListening(owner)
        guard !wanted.isEmpty, let requester = allowed.requester, !isStopping else { return }
        listen(owner, wanted, requester)
    }

    private func stopListening(_ owner: MonitorOwner) async {
        guard let (listener, task) = listeners[owner] else { return }
        listener.stop()
        await task.value
    }

    private func listen(_ owner: MonitorOwner, _ monitors: [MonitorRegistration], _ requester: Requester) {
        let listener = MonitorListener(
            monitors: monitors, requester: requester, device: parts.device, gate: parts.gate, ledger: parts.log,
            source: parts.source, recognizer: parts.recognizer)
        let task = Task {
            var outcome = MonitorListener.Outcome.ended(DictationEnding.serviceStopped.rawValue)
            do {
                let needsSpeech = monitors.contains { $0.kind.phrase != nil }
                try await parts.registry.add(
                    listener, device: parts.device, resources: needsSpeech ? nil : [.microphone])
                outcome = await listener.listen()
                await parts.registry.remove(listener)
            } catch let error as RouteError {
                outcome = .failed(error.message)
            } catch {
                outcome = .failed("\(error)")
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

    /// - Returns: whether it was written.
    @discardableResult
    func write(_ monitor: MonitorRegistration, _ occurrence: MonitorOccurrence) async -> Bool {
        do {
            try await parts.log.record(.monitor(monitor, occurrence), changing: nil)
            return true
        } catch {
            parts.logger.error(
                "what a monitor did cannot be written down",
                metadata: ["monitor": "\(monitor.identifier)", "error": "\(error)"])
            return false
        }
    }
}

extension MonitorService {
    /// Writes the monitor down and lets it listen.
    ///
    /// - Throws: `MonitorError`, `AuthorizationError` where the permission does not reach so far, or the log's error.
    func register(_ monitor: MonitorRegistration, for requester: Requester, by caller: Caller) async throws {
        try book.check(monitor)
        if let refusal = await parts.gate.refusal(of: monitor, for: requester) { throw refusal }
        // Asked again: others may have registered meanwhile. From here to the entry nothing else comes in between.
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
            monitor: monitor.identifier, client: monitor.client.rawValue, kind: monitor.kind.name,
            phrase: monitor.kind.phrase, action: monitor.action, state: state,
            reason: pauses[monitor.identifier]?.rawValue, failures: backOffs[monitor.identifier]?.failures ?? 0,
            nextAttempt: wait.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) })
    }
}

extension MonitorService: SessionNeighbour {
    /// A client's own session comes first: returns when its monitors have let go of the device.
    func makeRoom(for requester: Requester) async {
        let owner = MonitorOwner(user: requester.caller.user, client: requester.client.identifier)
        guard let (listener, task) = listeners[owner] else { return }
        listener.stop()
        await task.value
    }

    func sessionEnded(of requester: Requester) {
        evaluate(MonitorOwner(user: requester.caller.user, client: requester.client.identifier))
    }
}
