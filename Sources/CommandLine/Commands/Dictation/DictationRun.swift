import Authorization
import Foundation
import SocketAPI
import Speech
import VoiceGateClient

/// A dictation from the options that a person gave to its end. What can go wrong without the microphone does so before it
/// is opened.
struct DictationBegin: Sendable {
    let context: CommandContext
    let options: DictateOptions
    var isPushToTalk = false
    /// Called when it listens, or would if it were not suspended.
    var onStarted: @Sendable () -> Void = {}

    func run() async throws {
        let options = try options.withProfile(of: ServicePaths())
        let given = try await options.words.read(telling: context.output)
        let tools = DeliveryTools()
        let signals = SignalWatch()
        let (deliverer, tones) = try await signals.cancelling { [context] in
            let tones = options.tones == true ? try TonePlayer(tools, device: options.toneDevice) : nil
            return (try await Self.deliverer(options, tools, context.output), tones)
        }
        let keys = isPushToTalk ? try TalkTerminal.open() : nil
        let purpose = options.temporaryFull
        let (client, standing) = try await signals.cancelling { [context] in
            let client = try await context.client()
            let standing = try await client.authorization()
            if [standing.speechRecognition, standing.microphone].contains(.notDetermined) {
                try await context.conversation(with: client).request(nil)
            }
            if let purpose {
                try await context.conversation(with: client).requestTemporaryFullFidelity(purposeKey: purpose)
            }
            return (client, standing)
        }
        let request = DictationRequest(
            device: options.device, waitForDevice: options.waitForDevice == true ? true : nil,
            stopAfterSilence: options.stopAfterSilence, endSilence: options.endSilence, taskHint: given.taskHint,
            contextPhrases: given.contextPhrases, words: given.text, grammar: given.grammar,
            alternatives: given.alternatives, level: options.level == true ? true : nil,
            suspended: isPushToTalk ? true : nil)
        let run = DictationRun(
            client: client, output: context.output,
            display: DictationDisplay(
                client: standing.client, showsPartial: options.partial ?? true, showsLevel: options.level ?? false,
                isPushToTalk: isPushToTalk, language: .ofPerson),
            deliverer: deliverer, tones: tones, keys: keys, onStarted: onStarted)
        try await run.run(request, signals)
    }

    private static func deliverer(
        _ options: DictateOptions, _ tools: DeliveryTools, _ output: Output
    ) async throws -> Deliverer {
        let delivery: (any Delivery)?
        if let command = options.delivery.exec {
            delivery = CommandDelivery(command: command)
        } else {
            switch options.delivery.target ?? .stdout {
            case .stdout: delivery = nil
            case .type: delivery = try await WindowDelivery(tools)
            case .clipboard: delivery = try ClipboardDelivery(tools)
            }
        }
        return Deliverer(
            form: options.form.form, filters: options.delivery.filter.map(TextFilter.init), delivery: delivery,
            isAtEnd: options.delivery.atEnd ?? false, output: output)
    }
}

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

/// Steers a session by the person's wish, which may come before it has begun.
actor SessionSteering {
    private let client: VoiceGateClient
    private var session: String?
    private var hasAskedToEnd = false
    /// Whether the person holds the key; `nil`: there is none to hold.
    private var wantsToTalk: Bool?

    init(client: VoiceGateClient) { self.client = client }

    func began(_ session: String) async {
        self.session = session
        if wantsToTalk == true { await control(.resume) }
    }

    /// Begins or ends listening in a session that began suspended.
    func talk(_ isTalking: Bool) async {
        guard wantsToTalk ?? false != isTalking else { return }
        wantsToTalk = isTalking
        await control(isTalking ? .resume : .suspend)
    }

    /// - Returns: whether the session was asked to end, and what was heard is still to come.
    func endOrCancel() async -> Bool {
        guard let session, !hasAskedToEnd else {
            // Closing the connection has the same effect where this does not get through.
            await control(.cancel)
            return false
        }
        hasAskedToEnd = true
        do {
            try await client.control(session, .end)
            return true
        } catch let error as ClientError where error.code == .refused {
            // It has ended by itself; its last events are on their way.
            return true
        } catch {
            return false
        }
    }

    /// One that has ended meanwhile needs no steering.
    private func control(_ control: SessionControl) async {
        if let session { try? await client.control(session, control) }
    }
}
