import Foundation
import Hummingbird
import SocketAPI
import Speech

extension VoiceRoutes {
    /// Listens to somebody who reads sentences, and learns from that when it listens no more.
    func listen(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let body = try await request.json(EnrolmentRequest.self, limit: Request.longestWithWords)
        let sentences = try sentences(body.sentences)
        let (_, asking) = try await clients.requester(of: context)
        try checkReady(for: asking)
        let outcome = await gate.checkAndRequest(for: asking, asking: body.ask ?? true)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        let (connection, requester) = try await clients.requester(of: context)
        let sound = EnrolmentSound(items: work.profiles.items)
        let session = DictationSession(
            identifier: UUID().uuidString.lowercased(), requester: requester,
            // A reader takes breath within a sentence, and looks at the next one for a while.
            configuration: DictationConfiguration(
                device: body.device ?? device, stopAfterSilence: 60, endSilence: 1),
            gate: gate, ledger: ledger, source: source, recognizer: recognizer, keeper: sound,
            presence: { connection.presence }, sharing: await ObservedSharing(connection, requester))
        try await registry.add(session, device: session.configuration.device)
        let watch = connection.watch { session.abandon(.disconnected) }
        do {
            try await session.start()
        } catch {
            watch.cancel()
            await registry.remove(session, hasListened: false)
            throw error
        }
        guard sound.isPermitted else {
            session.abandon(.cancelled)
            await session.run { _ in }
            watch.cancel()
            await registry.remove(session, hasListened: false)
            throw Self.notAgreed(requester)
        }
        let events = EnrolmentEvents()
        let listening = EnrolmentListening(sentences, sound: sound, events: events) { session.control(.end) }
        let given = GivenUp()
        let givenWatch = connection.watch { given.giveUp() }
        Task {
            await session.run { event in
                registry.note(event.event, of: session)
                listening.take(event)
            }
            watch.cancel()
            await registry.remove(session)
            // Of its own, so that giving it up does not reach what has to be written down.
            let learning = Task { await learn(listening, sound, events) }
            given.onGivingUp { learning.cancel() }
            await learning.value
            givenWatch.cancel()
            events.finish()
        }
        return Response(lines: events)
    }

    private func learn(_ listening: EnrolmentListening, _ sound: EnrolmentSound, _ events: EnrolmentEvents) async {
        let (ending, message) = listening.ending
        do {
            guard let writer = try sound.writer() else { return events.send(.ended(ending, message: message)) }
            guard [.ended, .silence].contains(ending) else {
                await work.drop(writer)
                return events.send(.ended(ending, message: message))
            }
            try await work.learn(from: listening.clips, into: writer, events)
            events.send(.ended(.ended, message: nil))
        } catch {
            events.send(.ended(.failed, message: "\(error)"))
        }
    }
}
