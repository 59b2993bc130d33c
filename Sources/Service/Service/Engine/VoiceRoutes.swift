import Authorization
import Foundation
import Hummingbird
import Retention
import SocketAPI
import Speech

/// `/v1/voice-profile`: learning a voice for one client, looking at what is kept of it, and erasing it.
struct VoiceRoutes {
    let clients: ClientResolver
    let gate: Gate
    let ledger: any Ledger
    let source: any MicrophoneSource
    /// Without any profile: what is read is not heard with an earlier one.
    let recognizer: any Recognizer
    let registry: SessionRegistry
    let device: String
    let work: EnrolmentWork
    /// Whether anything can be kept.
    let canKeep: Bool
    let isOurEngine: Bool

    func add(to routes: Routes) {
        routes.on(.get, "voice-profile", for: .client, use: list)
        routes.on(
            .post, "voice-profile", for: .client, taking: EnrolmentRequest.self, limit: Request.longestWithWords,
            use: listen)
        routes.on(.post, "voice-profile/recordings", for: .client, use: takeRecordings)
        routes.on(.delete, "voice-profile", for: .client, use: remove)
    }

    /// The client's own; for the person those of all clients.
    private func list(_ call: Call) async throws -> Response {
        let profiles = try await work.profiles.profiles(try selection(call))
        var problem: String?
        do { try checkReady(for: call.requester) } catch {
            problem = ErrorTranslation.answer(to: error).1.error.message
        }
        return try Response(
            json: VoiceProfilesReply(
                profiles: profiles.map { work.profiles.reply($0.item, $0.profile) }, problem: problem))
    }

    private func remove(_ call: Call) async throws -> Response {
        let erased = try await work.profiles.remove(try selection(call))
        return try Response(json: ErasureReply(erased: erased))
    }

    private func selection(_ call: Call) throws -> ItemSelection {
        var selection = ItemSelection(client: call.requester.client.identifier, user: call.user)
        let isPerson = call.isPerson
        guard let text = call.request.uri.queryParameters["client"].map(String.init) else {
            if isPerson { selection.client = nil }
            return selection
        }
        guard let client = ClientIdentifier(rawValue: text) else {
            throw RouteError(.invalidValue, "client is a bundle identifier, such as org.example.Editor.")
        }
        guard isPerson || client == call.requester.client.identifier else {
            throw RouteError(.notAllowed, "What is kept for another client is for the person alone.")
        }
        selection.client = client
        return selection
    }

    /// Before anybody reads for two minutes in vain.
    func checkReady(for requester: Requester) throws {
        let declared = requester.client.manifest?.practices.kept[.voiceProfile] != nil
        guard declared else {
            throw RouteError(
                .notAllowed,
                clients.isCommandLine(requester)
                    ? "A voice profile is kept only where you want it. Write  keepVoiceProfile: untilWithdrawn  into "
                        + "config.yaml, start the service again, and let it ask you:  voicegate reset --client "
                        + requester.client.identifier.rawValue
                    : "This program's manifest does not declare that a voice profile is kept: VoiceGateKeptByService "
                        + "needs voiceProfile.")
        }
        guard isOurEngine else {
            throw RouteError(
                .notAllowed, "A voice is learnt for PocketSphinx alone, and config.yaml names another engine.")
        }
        guard canKeep else {
            throw RouteError(.storageUnavailable, "Nothing can be kept now; the service's log says why.")
        }
        try work.learner.check()
    }

    static func notAgreed(_ requester: Requester) -> RouteError {
        RouteError(
            .notAllowed,
            "You have not agreed that a profile of your voice is kept. To be asked again:  voicegate reset --client "
                + requester.client.identifier.rawValue)
    }

    func sentences(_ given: [String]?) throws -> [String] {
        guard let given else { return EnrolmentText.english }
        typealias Bounds = EnrolmentClip.Bounds
        guard (Bounds.fewestClips...Bounds.mostClips).contains(given.count),
            given.allSatisfy({ $0.count <= Bounds.longestText && !PhraseBook.words(of: $0).isEmpty })
        else {
            throw RouteError(
                .invalidValue,
                "sentences are \(Bounds.fewestClips) to \(Bounds.mostClips), each of words and of at most "
                    + "\(Bounds.longestText) characters.")
        }
        return given
    }
}

extension VoiceRoutes {
    /// Listens to somebody who reads sentences, and learns from that when it listens no more.
    func listen(_ body: EnrolmentRequest, _ call: Call) async throws -> Response {
        let sentences = try sentences(body.sentences)
        try checkReady(for: call.requester)
        let outcome = await gate.checkAndRequest(for: call.requester, asking: body.ask ?? true)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        let (connection, requester) = (call.connection, try await call.requesterNow())
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

extension VoiceRoutes {
    /// Learns from recordings that the client hands over. Needs speech recognition only.
    func takeRecordings(_ call: Call) async throws -> Response {
        let (connection, requester) = (call.connection, call.requester)
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
                clips = try await RecordingLines.clips(call.request.body)
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
