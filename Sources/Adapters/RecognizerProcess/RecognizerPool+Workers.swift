import Foundation
import LinuxSystem
import RecognizerProtocol
import Speech

extension RecognizerPool {
    /// Returns when a worker is ready.
    ///
    /// - Parameter taking: whether the caller's session takes it.
    func warmWorker(taking: Bool) async -> Result<Int, RecognitionError> {
        guard !isShutDown else {
            return .failure(RecognitionError(code: .workerUnavailable, message: "The service is stopping."))
        }
        if let identifier = hand(taking: taking) { return .success(identifier) }
        if !isLoading {
            if let error = backOff.lastError, !backOff.allowsOnDemand(at: .now) { return .failure(error) }
            startWorker()
            if !isLoading, let error = backOff.lastError { return .failure(error) }
        }
        refill()
        let result = await withCheckedContinuation { waiting.append($0) }
        guard case .success = result else { return result }
        // The first caller to continue gets it; the others wait for the next.
        if let identifier = hand(taking: taking) { return .success(identifier) }
        return await warmWorker(taking: taking)
    }

    private func hand(taking: Bool) -> Int? {
        for worker in workers.values.sorted(by: { $0.identifier < $1.identifier }) {
            guard case .warm = worker.state else { continue }
            if taking { worker.state = .serving(ServedSession(conversation: worker.greeted)) }
            return worker.identifier
        }
        return nil
    }

    private var isLoading: Bool {
        workers.values.contains { if case .loading = $0.state { true } else { false } }
    }

    /// Starts missing workers; while they die, one at the next attempt.
    func refill() {
        guard !isShutDown else { return }
        let idle = workers.values.count {
            switch $0.state {
            case .loading, .warm: true
            case .serving, .ending: false
            }
        }
        // Waiting sessions get the processors; the other workers are started when one is ready.
        let wanted = waiting.isEmpty ? configuration.warmWorkers : waiting.count
        guard idle < wanted else { return }
        guard let next = backOff.next else {
            for _ in idle..<wanted { startWorker() }
            return
        }
        guard !isLoading, retry == nil else { return }
        retry = Task { [weak self] in
            try? await Task.sleep(until: next)
            guard !Task.isCancelled else { return }
            await self?.tryAgain()
        }
    }

    private func tryAgain() {
        retry = nil
        guard !isShutDown, !isLoading else { return }
        startWorker()
    }

    /// Starts a worker for one sound file. Its session begins while it loads; the requests wait in the socket.
    func startFileWorker() throws(RecognitionError) -> Int {
        guard !isShutDown else {
            throw RecognitionError(code: .workerUnavailable, message: "The service is stopping.")
        }
        if let error = backOff.lastError, !backOff.allowsOnDemand(at: .now) { throw error }
        try configuration.checkModel()
        let files = workers.values.count { if case .serving = $0.state { $0.fileDecoders > 0 } else { false } }
        let worker = try addWorker(fileDecoders: min(max(configuration.fileDecoders / (files + 1), 1), 64))
        worker.state = .serving(ServedSession(conversation: worker.greeted))
        return worker.identifier
    }

    /// - Parameter fileDecoders: 0 for a worker of a live session.
    private func addWorker(fileDecoders: Int = 0) throws(RecognitionError) -> WorkerProcess {
        do throws(SpawnError) {
            let worker = try WorkerProcess(
                identifier: nextIdentifier(), command: configuration.command, fileDecoders: fileDecoders,
                givesWay: configuration.filesGiveWay, inspectsModel: configuration.inspectsModel)
            workers[worker.identifier] = worker
            watch(worker)
            startWatchdog()
            return worker
        } catch {
            logger.error("a recogniser cannot be started", metadata: ["error": "\(error)"])
            throw RecognitionError(
                code: .workerUnavailable,
                message: "The recogniser \(configuration.executable) cannot be started: \(error). Install it again.")
        }
    }

    private func startWorker() {
        do throws(RecognitionError) {
            try configuration.checkModel()
        } catch {
            logger.error("the model is not loaded", metadata: ["reason": "\(error)"])
            return noteFailure(error)
        }
        do throws(RecognitionError) {
            _ = try addWorker()
        } catch {
            noteFailure(error)
        }
    }

    /// A worker could not be started, or died before its first session.
    func noteFailure(_ error: RecognitionError) {
        backOff.failed(error, at: .now)
        if !isLoading { failWaiting(error) }
        refill()
    }

    func failWaiting(_ error: RecognitionError) {
        let waiting = self.waiting
        self.waiting = []
        for continuation in waiting { continuation.resume(returning: .failure(error)) }
    }

    func becameReady(_ worker: WorkerProcess, _ capabilities: EngineCapabilities) {
        worker.state = .warm(since: .now)
        self.capabilities = capabilities
        backOff.succeeded()
        let waiting = self.waiting
        self.waiting = []
        for continuation in waiting { continuation.resume(returning: .success(worker.identifier)) }
        refill()
    }

    /// Kills the worker; its session, if it has one, fails with the error.
    func retire(_ worker: WorkerProcess, failing error: RecognitionError?) {
        if case .ending = worker.state { return }
        if case .serving(let session) = worker.state { session.queue.close(error.map { .failed($0) }) }
        worker.state = .ending
        worker.terminate()
        executor.unwatch(worker.socket)
        release(worker)
    }

    /// Resumes the calls that wait to write to it.
    func release(_ worker: WorkerProcess) {
        let writers = worker.writers
        worker.writers = []
        for writer in writers { writer.resume() }
    }

    private func startWatchdog() {
        guard watchdog == nil else { return }
        let pause = min(configuration.answerTimeout, configuration.startTimeout) / 4
        watchdog = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: pause)
                guard let self else { return }
                await self.lookForHanging()
            }
        }
    }

    private func lookForHanging() {
        let now = ContinuousClock.now
        for worker in workers.values {
            switch worker.state {
            case .loading(let since) where now - since > configuration.startTimeout:
                retire(worker, failing: nil)
                logger.error("a recogniser did not load its model in time", metadata: ["pid": "\(worker.process)"])
                noteFailure(
                    RecognitionError(
                        code: .workerHung,
                        message: "The recogniser did not load its model in time. See the service's log."))
            case .serving(let session):
                guard session.isHanging(at: now, configuration, isFile: worker.fileDecoders > 0) else { continue }
                logger.error("a recogniser hung and was killed", metadata: ["pid": "\(worker.process)"])
                retire(
                    worker,
                    failing: RecognitionError(
                        code: .workerHung, message: "The recogniser did not answer and was killed. Begin a new session."
                    ))
                refill()
            default: continue
            }
        }
    }
}

/// The delay before the next worker is started after workers died while they loaded.
struct BackOff {
    let longest: Duration
    private(set) var failures = 0
    private(set) var lastError: RecognitionError?
    private(set) var lastAttempt: ContinuousClock.Instant?

    /// When the next attempt may begin; `nil`: at once.
    var next: ContinuousClock.Instant? {
        guard failures > 0, let lastAttempt else { return nil }
        return lastAttempt + min(longest, .milliseconds(250) * (1 << min(failures, 12)))
    }

    /// On a client's request one attempt a second is allowed, because the cause may have been fixed.
    func allowsOnDemand(at now: ContinuousClock.Instant) -> Bool {
        guard failures > 0, let lastAttempt else { return true }
        return now >= lastAttempt + .seconds(1)
    }

    mutating func failed(_ error: RecognitionError, at now: ContinuousClock.Instant) {
        failures += 1
        lastError = error
        lastAttempt = now
    }

    mutating func succeeded() {
        failures = 0
        lastError = nil
    }
}
