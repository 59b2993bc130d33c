import Foundation
import SocketAPI
import Speech
import VoiceGateClient

/// One dictation from its request to its end, with the signals and keys that steer it.
struct DictationRun: Sendable {
    let client: VoiceGateClient
    let output: Output
    let display: DictationDisplay
    let deliverer: Deliverer
    let tones: TonePlayer?
    let keys: TalkTerminal?
    let onStarted: @Sendable () -> Void

    func run(_ request: DictationRequest, _ signals: SignalWatch) async throws {
        // Over before the device opens, so that it is not heard.
        if let tones, let problem = await tones.play(.start) { output.warn(problem) }
        let steering = SessionSteering(client: client)
        let reading = Task { try await listen(request, steering) }
        let end: @Sendable () -> Void = {
            Task {
                // The first lets the recogniser finish what was said; a later one does not wait for it.
                if await !steering.endOrCancel() { reading.cancel() }
            }
        }
        signals.handle { _ in end() }
        let steeringByKeys = keys.map { keys in Task { await TalkSteering(steering: steering, end: end).follow(keys) } }
        defer {
            steeringByKeys?.cancel()
            keys?.restore()
        }
        let ending: DictationEnding?
        do {
            ending = try await reading.value
        } catch {
            throw reading.isCancelled ? CommandError.interrupted : error
        }
        output.clearLive()
        if let tones, let problem = await tones.play(.stop) { output.warn(problem) }
        guard let ending else { throw reading.isCancelled ? CommandError.interrupted : ClientError.disconnected }
        let status = ExitStatus(ending)
        if status != .success { throw CommandError.alreadyTold(status) }
    }

    /// Reads events and delivers text beside it, until both are over or nobody reads the results any more.
    private func listen(_ request: DictationRequest, _ steering: SessionSteering) async throws -> DictationEnding? {
        // Bounded by what is said.
        let (actions, queue) = AsyncStream.makeStream(of: DictationDisplay.Action.self, bufferingPolicy: .unbounded)
        let events = try await client.dictate(request)
        let work = Task {
            defer { queue.finish() }
            return try await read(events, steering, queue)
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deliverer.run(actions) }
            if deliverer.delivery == nil || output.isJSON, let watch = output.readerWatch {
                group.addTask { if await watch.isGone() { throw OutputClosed() } }
            }
            group.addTask {
                try await withTaskCancellationHandler {
                    _ = try await work.value
                } onCancel: {
                    work.cancel()
                }
            }
            // The watch ends when it is told to, or with an error.
            for _ in 0..<2 { try await group.next() }
            group.cancelAll()
            return try await work.value
        }
    }

    private func read(
        _ events: DictationStream, _ steering: SessionSteering,
        _ queue: AsyncStream<DictationDisplay.Action>.Continuation
    ) async throws -> DictationEnding? {
        var display = display
        for try await event in events {
            if case .started(let session, _, _) = event.event {
                onStarted()
                await steering.began(session)
            }
            if output.isJSON { try output.json(event) }
            for action in display.actions(for: event.event) {
                // What is shown in passing does not wait for a filter.
                if case .live(let text) = action { output.live(text) } else { queue.yield(action) }
            }
            if case .ended(let ending, _) = event.event { return ending }
        }
        return nil
    }
}
