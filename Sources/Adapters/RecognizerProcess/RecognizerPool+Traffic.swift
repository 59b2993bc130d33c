import Foundation
import RecognizerProtocol
import Speech

extension RecognizerPool {
    /// - Returns: whether any of them were sent.
    func accept(_ frames: Frames, for identifier: Int) async -> Bool {
        var offset = 0
        while offset < frames.samples.count {
            guard let (worker, session) = await workerWithRoom(for: identifier), session.input == .live else {
                return offset > 0
            }
            let origin = session.origin ?? frames.position
            session.origin = origin
            let end = min(offset + WorkerRequest.largestPiece / 2, frames.samples.count)
            // Times must not decrease, even if the source's positions do.
            let position = max(session.sent, frames.position - origin + Int64(offset))
            session.sent = position + Int64(end - offset)
            send(.audio(samples: Array(frames.samples[offset..<end]), position: position), to: worker)
            offset = end
        }
        return true
    }

    /// Sends no samples, but their position, which is after a gap.
    func skip(to position: Int64, for identifier: Int) async {
        guard let (worker, session) = await workerWithRoom(for: identifier), session.input == .live,
            let origin = session.origin
        else { return }
        session.sent = max(session.sent, position - origin)
        send(.audio(samples: [], position: session.sent), to: worker)
    }

    func accept(file bytes: [UInt8], for identifier: Int) async {
        var offset = 0
        while offset < bytes.count {
            guard let (worker, session) = await workerWithRoom(for: identifier), session.input == .file else { return }
            let end = min(offset + WorkerRequest.largestPiece, bytes.count)
            send(.file(Array(bytes[offset..<end])), to: worker)
            offset = end
        }
    }

    func finish(_ identifier: Int) {
        guard let worker = workers[identifier], case .serving(let session) = worker.state, !session.isFinishing
        else { return }
        session.isFinishing = true
        send(.finish, to: worker)
    }

    func cancel(_ identifier: Int) {
        guard let worker = workers[identifier] else { return }
        retire(worker, failing: nil)
        refill()
    }

    /// Returns the session's worker when it is not too far behind; `nil` after the session's end.
    private func workerWithRoom(for identifier: Int) async -> (WorkerProcess, ServedSession)? {
        while true {
            guard let worker = workers[identifier], case .serving(let session) = worker.state, !session.isFinishing
            else { return nil }
            if worker.backlog < Self.mostBacklog { return (worker, session) }
            await withCheckedContinuation { worker.writers.append($0) }
        }
    }

    func send(_ request: WorkerRequest, to worker: WorkerProcess) {
        guard let bytes = try? request.event.encoded() else {
            // Only for an infinite or NaN pause; the worker gets nothing of the session.
            retire(
                worker,
                failing: RecognitionError(code: .protocolViolation, message: "The request cannot be written."))
            return
        }
        worker.write(bytes)
        updateWatch(worker, isAlive: false)
    }

    func watch(_ worker: WorkerProcess) {
        let identifier = worker.identifier
        executor.watch(worker.socket, events: Int16(POLLIN)) { [weak self] events in
            self?.assumeIsolated { $0.socketIsReady(identifier, events) }
        }
        executor.watch(worker.log, events: Int16(POLLIN)) { [weak self] _ in
            self?.assumeIsolated { $0.readLog(identifier) }
        }
        executor.watch(worker.ending, events: Int16(POLLIN)) { [weak self] _ in
            self?.assumeIsolated { $0.hasEnded(identifier) }
        }
    }

    private func updateWatch(_ worker: WorkerProcess, isAlive: Bool) {
        if case .serving(let session) = worker.state {
            session.noteSilence(at: .now, isBehind: worker.backlog > 0, isAlive: isAlive)
        }
        executor.change(worker.socket, events: Int16(worker.backlog > 0 ? POLLIN | POLLOUT : POLLIN))
    }

    private func socketIsReady(_ identifier: Int, _ events: Int16) {
        guard let worker = workers[identifier] else { return }
        if events & Int16(POLLOUT) != 0 {
            worker.flush()
            updateWatch(worker, isAlive: true)
            if worker.backlog < Self.mostBacklog / 2 { release(worker) }
        }
        guard events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
        if !readReplies(worker) {
            // Without its socket it is of no use.
            executor.unwatch(worker.socket)
            worker.terminate()
        }
    }

    /// - Returns: whether the socket is still open.
    private func readReplies(_ worker: WorkerProcess) -> Bool {
        let (bytes, isOpen) = worker.read(worker.socket)
        worker.decoder.append(bytes)
        do {
            while let event = try worker.decoder.next() { try handle(WorkerReply(event), from: worker) }
        } catch {
            logger.error(
                "a recogniser broke the protocol", metadata: ["pid": "\(worker.process)", "error": "\(error)"])
            let failure = RecognitionError(
                code: .protocolViolation, message: "The recogniser broke its protocol and was killed. Try again.")
            let wasServing = if case .serving = worker.state { true } else { false }
            retire(worker, failing: failure)
            if !wasServing { noteFailure(failure) }
        }
        return isOpen
    }

    private func handle(_ reply: WorkerReply, from worker: WorkerProcess) throws(ProtocolError) {
        switch worker.state {
        case .ending: return
        case .loading, .warm:
            try worker.greeted.check(reply, sent: 0)
            switch reply {
            case .ready(let capabilities): becameReady(worker, capabilities)
            case .recognized(.failed(let error)):
                retire(worker, failing: nil)
                logger.error("a recogniser refused to start", metadata: ["error": "\(error)"])
                noteFailure(error)
            default:
                throw ProtocolError(code: .unexpected, message: "A worker without a session has no events.")
            }
        case .serving(let session):
            try session.conversation.check(reply, sent: session.seconds)
            if case .progress(let time) = reply { session.worked = time }
            session.noteSilence(at: .now, isBehind: worker.backlog > 0, isAlive: true)
            guard case .recognized(let event) = reply else { return }
            session.noteUtterance(event, at: .now)
            guard session.lease?.isLive ?? true else { return }
            switch event {
            case .finished, .failed:
                session.queue.close(event)
                retire(worker, failing: nil)
                refill()
            default: session.queue.append(event)
            }
        }
    }

    private func readLog(_ identifier: Int) {
        guard let worker = workers[identifier] else { return }
        let (bytes, isOpen) = worker.read(worker.log)
        for line in worker.logLines.take(bytes) {
            logger.log(
                level: line.isError ? .error : .warning, "\(line.text)", metadata: ["recognizer": "\(worker.process)"])
        }
        if !isOpen { executor.unwatch(worker.log) }
    }

    private func hasEnded(_ identifier: Int) {
        guard let worker = workers[identifier] else { return }
        // Its last output is still in the sockets.
        _ = readReplies(worker)
        readLog(identifier)
        let exit = worker.reap()
        for descriptor in [worker.socket, worker.log, worker.ending] { executor.unwatch(descriptor) }
        let state = worker.state
        workers[identifier] = nil
        release(worker)
        report(exit, of: worker, state)
        refill()
        guard workers.isEmpty else { return }
        let ended = self.ended
        self.ended = []
        for continuation in ended { continuation.resume() }
    }

    private func report(_ exit: String, of worker: WorkerProcess, _ state: WorkerProcess.State) {
        if case .ending = state { return }
        logger.error(
            "a recogniser exited unexpectedly", metadata: ["pid": "\(worker.process)", "how": "\(exit)"])
        switch state {
        case .loading:
            let cause = worker.logLines.lastError.map { " (\($0))" } ?? ""
            let (work, advice) =
                configuration.modelFolder.map {
                    ("loaded the model in \($0)", "Install the model again or select another.")
                } ?? ("started", "Check the engine with Documentation/engine/check.py.")
            noteFailure(
                RecognitionError(
                    code: .modelUnavailable,
                    message: "The recogniser exited \(exit) while it \(work)\(cause). \(advice)"))
        case .warm(let since) where ContinuousClock.now - since < .seconds(5):
            // Not at once again, which would be a loop.
            noteFailure(
                RecognitionError(
                    code: .workerUnavailable, message: "The recogniser exited \(exit). See the service's log."))
        case .serving(let session):
            session.queue.close(
                .failed(
                    RecognitionError(
                        code: .workerDied,
                        message: "The recogniser exited \(exit) during the session. Begin a new session.")))
        case .warm, .ending: break
        }
    }
}
