import Authorization
import Foundation
import Hummingbird
import SocketAPI
import Speech

/// `POST /v1/dictation` and the control of a running session.
struct DictationRoutes {
    let clients: ClientResolver
    let gate: Gate
    let ledger: any Ledger
    let source: any MicrophoneSource
    let recognizer: any Recognizer
    let registry: SessionRegistry
    let defaults: DictationConfiguration
    /// `nil`: nothing is kept, whatever was agreed to.
    let keeper: (any Keeper)?
    let means: any MicrophoneMeans

    func add(to routes: Routes) {
        routes.on(
            .post, "dictation", for: .client, taking: DictationRequest.self, limit: Request.longestWithWords,
            use: start)
        routes.on(.get, "dictation", for: .client, use: list)
        routes.on(.post, "dictation/:session/:control", for: .client, use: control)
    }

    private func start(_ body: DictationRequest, _ call: Call) async throws -> Response {
        var configuration = try configuration(body)
        let outcome = await gate.checkAndRequest(for: call.requester, asking: body.ask ?? true)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        let (connection, requester) = (call.connection, try await call.requesterNow())
        configuration.userWords = configuration.userWords.adding(
            contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        let sharing = await ObservedSharing(connection, requester)
        let session = DictationSession(
            identifier: UUID().uuidString.lowercased(), requester: requester, configuration: configuration, gate: gate,
            ledger: ledger, source: source, recognizer: recognizer, keeper: keeper, means: means,
            presence: { connection.presence }, sharing: sharing)
        try await registry.add(session, device: configuration.device)
        // Before it starts, and not left to the answer's stream, which may never be read.
        let watch = connection.watch { session.abandon(.disconnected) }
        do {
            try await session.start()
        } catch {
            watch.cancel()
            await registry.remove(session, hasListened: false)
            throw error
        }
        let events = SessionEvents(passing: { session.passing($0) }) { session.abandon(.disconnected) }
        Task {
            await session.run { event in
                registry.note(event.event, of: session)
                events.send(event)
            }
            events.finish()
            watch.cancel()
            if await registry.isStopping { await events.whenRead(within: .seconds(2)) }
            await registry.remove(session)
        }
        return Response(lines: events)
    }

    /// The caller's own; to the command line all that were begun by it, by whomever it was run.
    private func list(_ call: Call) async throws -> Response {
        let sessions = await registry.dictations(ofUser: call.user) { other in
            other.client.identifier == call.requester.client.identifier
                || call.isCommandLine && clients.isCommandLine(other)
        }
        return try Response(json: DictationsReply(sessions: sessions))
    }

    private func control(_ call: Call) async throws -> Response {
        let word = try call.parameter("control")
        guard let control = SessionControl(rawValue: word) else {
            throw RouteError(.notFound, "A session takes end, cancel, suspend and resume, not “\(word.prefix(40))”.")
        }
        let identifier = try call.parameter("session")
        guard let session = await registry.dictation(identifier, ofUser: call.user) else {
            throw RouteError(.notFound, "No such session runs. It may have ended.")
        }
        guard session.requester.client.identifier == call.requester.client.identifier || call.isCommandLine
        else { throw RouteError(.notAllowed, "This session belongs to another client.") }
        if [.end, .cancel].contains(control) { await registry.noteEnding(identifier) }
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
            configuration.endSilence = endSilence
        }
        if let stopAfterSilence = body.stopAfterSilence {
            guard stopAfterSilence > 0, stopAfterSilence <= 3600 else {
                throw RouteError(
                    .invalidValue, "stopAfterSilence is a number of seconds, more than 0 and at most 3600.")
            }
            configuration.stopAfterSilence = stopAfterSilence
        }
        if body.endSilence == nil, let hint = body.taskHint { configuration.endSilence = hint.endSilence }
        if let grammar = body.grammar {
            guard grammar.utf8.count <= RecognitionTask.longestGrammar else {
                throw RouteError(
                    .invalidValue, "A grammar may have at most \(RecognitionTask.longestGrammar >> 10) KiB.")
            }
            configuration.grammar = grammar
        }
        if let alternatives = body.alternatives {
            guard (0...RecognitionConfiguration.mostAlternatives).contains(alternatives) else {
                throw RouteError(
                    .invalidValue, "alternatives is a number from 0 to \(RecognitionConfiguration.mostAlternatives).")
            }
            configuration.alternatives = alternatives
        }
        configuration.userWords = try UserWords(contextPhrases: body.contextPhrases ?? [], text: body.words ?? "")
        if body.waitForDevice == true { configuration.onDeviceLoss = .wait }
        configuration.reportsLevel = body.level ?? false
        configuration.beginsSuspended = body.suspended ?? false
        return configuration
    }
}

/// `GET /v1/devices`: what could listen.
struct DeviceRoutes {
    let source: any MicrophoneSource

    func add(to routes: Routes) {
        routes.on(.get, "devices", for: .client) { _ in
            try Response(json: DevicesReply(devices: await source.devices()))
        }
    }
}
