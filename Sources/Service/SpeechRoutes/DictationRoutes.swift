import Hummingbird
import Server
import Sessions
import SocketAPI
import Speech

/// `POST /v1/dictation`, the control of a running session, and `GET /v1/devices`.
struct DictationRoutes {
    let runner: SessionRunner
    let source: any MicrophoneSource
    let recognizer: any Recognizer
    let defaults: DictationConfiguration
    /// `nil`: nothing is kept, whatever the user allowed.
    let keeper: (any Keeper)?
    let means: any MicrophoneMeans

    func add(to routes: Routes) {
        routes.on(
            .post, "dictation", for: .client.streaming, taking: DictationRequest.self, limit: Request.longestWithWords,
            use: start)
        routes.on(.get, "dictation", for: .client.alwaysServed, use: list)
        routes.on(.post, "dictation/:session/:control", for: .client.alwaysServed, use: control)
        routes.on(.get, "devices", for: .client) { call in
            let device = try call.request.parameter("device", "device is the name of one, or empty.") { $0 }
            guard let device else { return try Response(json: DevicesReply(devices: await source.devices())) }
            let name = device.isEmpty ? defaults.device : device
            let problem = await source.problem(of: name)?.message
            return try Response(
                json: DevicesReply(devices: [CaptureDevice(name: name, description: name, problem: problem)]))
        }
    }

    private func start(_ body: DictationRequest, _ call: Call) async throws -> Response {
        var configuration = try configuration(body)
        // Other programs get text; sound never leaves the service for them.
        guard !configuration.reportsSound || call.isPerson else {
            throw RouteError(.notAllowed, "Only VoiceGate's own command gets the sound.")
        }
        try await recognizer.checkLanguage(of: configuration.recognition)
        // A missing microphone is an error before the question.
        try await runner.gate.checkAndRequest(for: call.requester, asking: body.ask ?? true) {
            [source, device = configuration.device] in
            if let problem = await source.problem(of: device) { throw problem }
        }.check()
        let (connection, requester) = (call.connection, try await call.requesterNow())
        configuration.recognition.userWords = configuration.recognition.userWords.adding(
            contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        let session = DictationSession(
            await runner.context(of: requester, on: connection, keeper: body.keep == false ? nil : keeper),
            configuration: configuration,
            source: source, recognizer: recognizer, means: means)
        let events = try await runner.stream(
            session, device: configuration.device, on: connection, start: { try await session.start() },
            work: { await session.run($0) })
        return Response(lines: events)
    }

    /// The client's own dictations; for the command line all that were started with it, by whichever program.
    private func list(_ call: Call) async throws -> Response {
        let sessions = await runner.registry.dictations(ofUser: call.user) { other in
            other.client.identifier == call.requester.client.identifier
                || call.isCommandLine && call.clients.isCommandLine(other)
        }
        return try Response(json: DictationsReply(sessions: sessions))
    }

    private func control(_ call: Call) async throws -> Response {
        let word = try call.parameter("control")
        guard let control = SessionControl(rawValue: word) else {
            throw RouteError(
                .notFound, "“\(word.prefix(40))” is not a control of a session. Use end, cancel, suspend or resume.")
        }
        let identifier = try call.parameter("session")
        guard let session = await runner.registry.dictation(identifier, ofUser: call.user) else {
            throw RouteError(.notFound, "No such session runs. It may have ended.")
        }
        guard session.requester.client.identifier == call.requester.client.identifier || call.isCommandLine
        else { throw RouteError(.notAllowed, "This session belongs to another client.") }
        if [.end, .cancel].contains(control) { await runner.registry.noteEnding(identifier) }
        session.control(control)
        return Response(status: .noContent)
    }

    private func configuration(_ body: DictationRequest) throws -> DictationConfiguration {
        var configuration = defaults
        if let device = body.device { configuration.device = device }
        if let endSilence = body.endSilence {
            guard (0.2...5).contains(endSilence) else {
                throw RouteError(.invalidValue, "endSilence is a number of seconds from 0.2 to 5.")
            }
            configuration.recognition.endSilence = endSilence
        }
        if let stopAfterSilence = body.stopAfterSilence {
            guard stopAfterSilence > 0, stopAfterSilence <= 3600 else {
                throw RouteError(
                    .invalidValue, "stopAfterSilence is a number of seconds, more than 0 and at most 3600.")
            }
            configuration.stopAfterSilence = stopAfterSilence
        }
        try configuration.recognition.take(
            body.endSilence == nil ? body.taskHint : nil, grammar: body.grammar, alternatives: body.alternatives,
            phrases: body.contextPhrases, words: body.words)
        configuration.recognition.language = try body.language.flatMap(RecognitionConfiguration.language)
        if body.waitForDevice == true { configuration.onDeviceLoss = .wait }
        configuration.reportsLevel = body.level ?? false
        configuration.reportsSound = body.sound ?? false
        configuration.beginsSuspended = body.suspended ?? false
        return configuration
    }
}
