import Foundation
import Hummingbird
import SocketAPI
import Speech

extension VoiceRoutes {
    /// Learns from recordings that the client hands over. Needs speech recognition only.
    func takeRecordings(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (connection, requester) = try await clients.requester(of: context)
        try checkReady(for: requester)
        let outcome = await gate.request(.speechRecognition, for: requester)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        let sound = EnrolmentSound(items: work.profiles.items)
        let session = RecordedEnrolment(
            identifier: UUID().uuidString.lowercased(), requester: requester, gate: gate, ledger: ledger,
            keeper: sound, presence: { connection.presence }, sharing: await ObservedSharing(connection, requester))
        try await registry.add(session, device: nil)
        let watch = connection.watch { session.abandon(.disconnected) }
        let given = GivenUp()
        let clips: [EnrolmentClip]
        do {
            try await session.open { given.giveUp() }
            do {
                guard sound.isPermitted else { throw Self.notAgreed(requester) }
                clips = try await RecordingLines.clips(request.body)
            } catch {
                try await session.close(.cancelled, seconds: 0)
                throw error
            }
        } catch {
            watch.cancel()
            await registry.remove(session, hasListened: false)
            throw error
        }
        let events = EnrolmentEvents()
        events.send(.started(session: session.identifier, sentences: clips.count))
        let learning = Task { try await work.learner.learn(from: clips) { events.learning($0) } }
        given.onGivingUp { learning.cancel() }
        Task {
            await end(session, await learning.result, sound, events)
            await registry.remove(session)
            watch.cancel()
            events.finish()
        }
        return Response(lines: events)
    }

    private func end(
        _ session: RecordedEnrolment, _ result: Result<Adaptation, any Error>, _ sound: EnrolmentSound,
        _ events: EnrolmentEvents
    ) async {
        do {
            let adaptation = try? result.get()
            let ending = try await session.close(
                adaptation == nil ? .failed : .ended, seconds: adaptation?.seconds ?? 0)
            let writer = try sound.writer()
            if let adaptation, let writer, ending == .ended {
                try await work.keep(adaptation, in: writer, events)
            } else if let writer {
                await work.drop(writer)
            }
            if case .failure(let error) = result, ending == .failed { throw error }
            events.send(.ended(ending, message: nil))
        } catch {
            events.send(.ended(.failed, message: "\(error)"))
        }
    }
}
