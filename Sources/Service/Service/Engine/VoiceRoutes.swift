import Authorization
import Foundation
import Hummingbird
import Retention
import SocketAPI
import Speech

/// `/v1/voice-profile`: learning a voice for one client, showing what is kept of it, and erasing it.
struct VoiceRoutes {
    let runner: SessionRunner
    let source: any MicrophoneSource
    /// Recognises without a profile: enrolment must not use an earlier one.
    let recognizer: any Recognizer
    let device: String
    let work: EnrolmentWork
    let canKeep: Bool
    let use: @Sendable () -> ProfileUse

    func add(to routes: Routes) {
        routes.on(.get, "voice-profile", for: .client, use: list)
        routes.on(
            .post, "voice-profile", for: .client.streaming, taking: EnrolmentRequest.self,
            limit: Request.longestWithWords,
            use: listen)
        routes.on(.post, "voice-profile/recordings", for: .client.streaming, use: takeRecordings)
        routes.on(.delete, "voice-profile", for: .client, use: remove)
    }

    /// The client's own profiles; for the user those of all clients.
    private func list(_ call: Call) async throws -> Response {
        let profiles = try await work.profiles.profiles(try selection(call))
        var problem: String?
        do { try checkReady(call) } catch {
            problem = ErrorTranslation.answer(to: error).1.error.message
        }
        return try Response(
            json: VoiceProfilesReply(
                profiles: profiles.map { work.profiles.reply($0.item, $0.value) }, problem: problem, note: use().note))
    }

    private func remove(_ call: Call) async throws -> Response {
        let profiles = try await work.profiles.profiles(try selection(call))
        return try Response(json: ErasureReply(erased: try await work.profiles.items.erase(profiles.map(\.item))))
    }

    private func selection(_ call: Call) throws -> ItemSelection {
        var selection = ItemSelection(client: call.requester.client.identifier, user: call.user)
        guard let client = try call.request.client() else {
            if call.isPerson { selection.client = nil }
            return selection
        }
        guard call.isPerson || client == call.requester.client.identifier else {
            throw RouteError(.notAllowed, "Only you can see or erase what is kept for another client.")
        }
        selection.client = client
        return selection
    }

    /// Before a user reads aloud for two minutes in vain.
    private func checkReady(_ call: Call) throws {
        let use = use()
        if use.isNone, let note = use.note { throw RouteError(.notAllowed, note) }
        let client = call.requester.client
        guard client.manifest?.practices.kept[.voiceProfile] != nil else {
            throw RouteError(
                .notAllowed,
                call.isCommandLine
                    ? "Voice profiles are off. To keep one, write  keepVoiceProfile: untilWithdrawn  into config.yaml, "
                        + "run  voicegate service restart, and let it ask you:  voicegate reset --client "
                        + client.identifier.rawValue
                    : "This program's manifest does not declare that a voice profile is kept. Add voiceProfile to "
                        + "VoiceGateKeptByService.")
        }
        guard canKeep else {
            throw RouteError(.storageUnavailable, "Nothing can be kept now; the service's log has the reason.")
        }
        try work.learner.check()
    }

    private func check(_ sound: EnrolmentSound, _ requester: Requester) throws {
        guard !sound.isPermitted else { return }
        throw RouteError(
            .notAllowed,
            "You have not allowed that a profile of your voice is kept. To be asked again:  voicegate reset --client "
                + requester.client.identifier.rawValue)
    }

    private func sentences(_ given: [String]?) throws -> [String] {
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

    /// Listens to a user who reads sentences aloud, and learns from them after it has stopped listening.
    private func listen(_ body: EnrolmentRequest, _ call: Call) async throws -> Response {
        let sentences = try sentences(body.sentences)
        try checkReady(call)
        try await runner.gate.checkAndRequest(for: call.requester, asking: body.ask ?? true).check()
        let (connection, requester) = (call.connection, try await call.requesterNow())
        let sound = EnrolmentSound(items: work.profiles.items)
        let session = DictationSession(
            await runner.context(of: requester, on: connection, keeper: sound),
            // A reader breathes within a sentence, and looks at the next one for a while.
            configuration: DictationConfiguration(
                device: body.device ?? device, stopAfterSilence: 60,
                recognition: RecognitionConfiguration(endSilence: 1)),
            source: source, recognizer: recognizer)
        let events = EnrolmentEvents()
        let listening = EnrolmentListening(sentences, sound: sound, events: events) { session.control(.end) }
        try await runner.run(
            session, device: session.configuration.device, on: connection,
            start: {
                try await session.start()
                do {
                    try check(sound, requester)
                } catch {
                    session.abandon(.cancelled)
                    await session.run { _ in }
                    throw error
                }
            },
            work: { _ in
                await session.run { event in
                    runner.registry.note(event.event, of: session)
                    listening.take(event)
                }
            },
            afterwards: {
                await learn(listening, sound, events)
                events.finish()
            })
        return Response(lines: events.stream)
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

    /// Learns from recordings that the client sends. Needs speech recognition only.
    private func takeRecordings(_ call: Call) async throws -> Response {
        let (connection, requester) = (call.connection, call.requester)
        try checkReady(call)
        try await runner.gate.request(.speechRecognition, for: requester).check()
        let sound = EnrolmentSound(items: work.profiles.items)
        let session = RecordedEnrolment(await runner.context(of: requester, on: connection, keeper: sound))
        let events = EnrolmentEvents()
        try await runner.run(
            session, device: nil, on: connection,
            start: {
                try await session.open()
                do {
                    try check(sound, requester)
                    return try await RecordingLines.clips(call.request.body)
                } catch {
                    try await session.close(.cancelled, seconds: 0)
                    throw error
                }
            },
            work: { clips in
                events.send(.started(session: session.identifier, sentences: clips.count))
                let result = await session.run { try await work.learner.learn(from: clips) { events.learning($0) } }
                await end(session, result, sound, events)
            },
            afterwards: { events.finish() })
        return Response(lines: events.stream)
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
                try await work.keep(in: writer, events) { adaptation }
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
