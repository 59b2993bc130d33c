import CommandClient
import Foundation
import SocketAPI
import Speech

extension DictateOptions {
    /// A dictation from its options to its end. Everything else that can fail does so before the microphone opens.
    ///
    /// - Parameter onStarted: called when the session has started, suspended or not.
    func dictate(
        _ context: CommandContext, isPushToTalk: Bool = false, onStarted: @escaping @Sendable () -> Void = {}
    ) async throws {
        let options = try withProfile(of: ServicePaths())
        let hints = try await options.words.read(reportingTo: context.output)
        let tools = DeliveryTools()
        let signals = SignalWatch(removingEchoFrom: context.output)
        let (deliverer, tones) = try await signals.cancelling {
            let tones = options.tones == true ? try SoundPlayer(tools, device: options.toneDevice) : nil
            return (try await options.deliverer(tools, context.output), tones)
        }
        let keys = isPushToTalk ? try TalkTerminal.open() : nil
        let purpose = options.temporaryFull
        let (client, status) = try await signals.cancelling {
            let client = try await context.client()
            let status = try await context.requestUndecided(
                from: client, withMicrophone: true, device: options.device, language: options.words.spokenLanguage)
            if let purpose {
                try await context.conversation(with: client).requestTemporaryFullFidelity(purposeKey: purpose)
            }
            return (client, status)
        }
        let request = DictationRequest(
            device: options.device, waitForDevice: options.waitForDevice == true ? true : nil,
            stopAfterSilence: options.stopAfterSilence, endSilence: options.endSilence, taskHint: hints.taskHint,
            contextPhrases: hints.contextPhrases, words: hints.words, grammar: hints.grammar,
            alternatives: hints.alternatives, level: options.level == true ? true : nil,
            suspended: isPushToTalk ? true : nil, language: options.words.spokenLanguage)
        let run = DictationRun(
            client: client, output: context.output,
            display: DictationDisplay(
                client: status.client, showsPartial: options.partial ?? true, showsLevel: options.level ?? false,
                isPushToTalk: isPushToTalk, stopAfterSilence: options.stopAfterSilence,
                hasGrammar: options.words.grammar != nil, language: .ofPerson,
                isInForeground: { tcgetpgrp(STDERR_FILENO) == getpgrp() }),
            deliverer: deliverer, tones: tones, keys: keys, onStarted: onStarted)
        try await run.run(request, signals)
    }

    private func deliverer(_ tools: DeliveryTools, _ output: Output) async throws -> Deliverer {
        let place: (any Delivery)?
        switch delivery.target {
        case nil: place = delivery.exec.map(CommandDelivery.init)
        case .stdout: place = nil
        case .type: place = try await WindowDelivery(tools)
        case .clipboard: place = try ClipboardDelivery(tools)
        }
        return Deliverer(
            former: try await form.former(), scratches: scratchThat ?? form.punctuation ?? false,
            filters: delivery.filter.map(TextFilter.init), delivery: place,
            isAtEnd: delivery.atEnd ?? false, output: output)
    }
}

/// A dictation from its request to its end, controlled by signals and keys.
struct DictationRun: Sendable {
    let client: ServiceClient
    let output: Output
    let display: DictationDisplay
    let deliverer: Deliverer
    let tones: SoundPlayer?
    let keys: TalkTerminal?
    let onStarted: @Sendable () -> Void

    func run(_ request: DictationRequest, _ signals: SignalWatch) async throws {
        // Finished before the device opens, so that it is not recorded.
        if let tones, let problem = await tones.play(.start) { output.warn(problem) }
        let control = SessionController(client: client)
        let reading = Task { try await listen(request, control) }
        let end: @Sendable () -> Void = {
            Task {
                // The first lets the recogniser finish; a later one does not wait.
                if await !control.endOrCancel() { reading.cancel() }
            }
        }
        signals.handle { _ in end() }
        let keyTask = keys.map { keys in Task { await control.follow(keys, onEnd: end) } }
        defer {
            keyTask?.cancel()
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
        try ExitStatus(ending).check()
    }

    /// Reads events and delivers text concurrently, until both have ended or the output pipe is closed.
    private func listen(_ request: DictationRequest, _ control: SessionController) async throws -> DictationEnding? {
        // Bounded by the speech.
        let (actions, queue) = AsyncStream.makeStream(of: DictationDisplay.Action.self, bufferingPolicy: .unbounded)
        let events = try await client.dictate(request)
        let work = Task {
            defer { queue.finish() }
            return try await read(events, control, queue)
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deliverer.run(actions) }
            if deliverer.delivery == nil || output.isJSON, let pipe = output.resultPipe {
                group.addTask { if await pipe.readerIsGone() { throw OutputClosed() } }
            }
            group.addTask {
                // What was read is delivered also after an error.
                await withTaskCancellationHandler {
                    _ = await work.result
                } onCancel: {
                    work.cancel()
                }
            }
            // The pipe's task ends by cancellation or with an error.
            for _ in 0..<2 { try await group.next() }
            group.cancelAll()
            return try await work.value
        }
    }

    private func read(
        _ events: DictationStream, _ control: SessionController,
        _ queue: AsyncStream<DictationDisplay.Action>.Continuation
    ) async throws -> DictationEnding? {
        var display = display
        func show(_ actions: [DictationDisplay.Action]) {
            for action in actions {
                // Live text does not wait for filters.
                if case .live(let text) = action { output.live(text) } else { queue.yield(action) }
            }
        }
        do {
            if let ending = try await read(events, control, &display, show) { return ending }
        } catch let error as ClientError where error.code == .disconnected {
        }
        guard !Task.isCancelled else { return nil }
        show(display.actionsAtEnd(keepsWords: true))
        throw CommandError(
            .serviceEnded,
            "The service ended during the dictation. Run the command again to start it; voicegate service status shows where its "
                + "messages are.")
    }

    /// - Returns: `nil` if the connection was closed before the session's end.
    private func read(
        _ events: DictationStream, _ control: SessionController, _ display: inout DictationDisplay,
        _ show: ([DictationDisplay.Action]) -> Void
    ) async throws -> DictationEnding? {
        for try await event in events {
            if case .started(let session, _, _) = event.event {
                onStarted()
                await control.began(session)
            }
            if output.isJSON { try output.json(event) }
            if case .ended(.muted, _) = event.event { display.mute = try? await client.authorization().mutedBy }
            show(display.actions(for: event.event))
            if case .ended(let ending, _) = event.event { return ending }
        }
        return nil
    }
}

/// Controls a session on request, even before it has started.
actor SessionController {
    private let client: ServiceClient
    private var session: String?
    private var hasAskedToEnd = false
    /// Whether the user holds the key; `nil` without push-to-talk.
    private var wantsToTalk: Bool?

    init(client: ServiceClient) { self.client = client }

    func began(_ session: String) async {
        self.session = session
        if wantsToTalk == true { await control(.resume) }
    }

    /// Turns keys into listening and not listening.
    func follow(_ terminal: TalkTerminal, onEnd end: @Sendable () -> Void) async {
        var isTalking = false
        for await key in terminal.keys() {
            switch key {
            case .pressed: isTalking = true
            case .released: isTalking = false
            case .struck: isTalking.toggle()
            case .end: end()
            case .reportsReleases: break
            }
            await talk(isTalking)
        }
    }

    /// Starts or stops listening in a session that began suspended.
    func talk(_ isTalking: Bool) async {
        guard wantsToTalk ?? false != isTalking else { return }
        wantsToTalk = isTalking
        await control(isTalking ? .resume : .suspend)
    }

    /// - Returns: whether the session was asked to end and will send its last text.
    func endOrCancel() async -> Bool {
        guard let session, !hasAskedToEnd else {
            // If this fails, closing the connection has the same effect.
            await control(.cancel)
            return false
        }
        hasAskedToEnd = true
        do {
            try await client.control(session, .end)
            return true
        } catch let error as ClientError where error.code == .refused {
            // It has ended already and sends its last events.
            return true
        } catch {
            return false
        }
    }

    /// Ignores errors, because the session may have ended.
    private func control(_ control: SessionControl) async {
        if let session { try? await client.control(session, control) }
    }
}
