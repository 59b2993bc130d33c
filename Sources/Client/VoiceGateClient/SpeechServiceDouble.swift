import Foundation

/// A service in memory for the tests of a program: each status can be set, as the user or an administrator would change it, and
/// requests, streams and errors follow from them. Nothing listens, and no service is needed.
///
/// ```swift
/// let service = SpeechServiceDouble([.microphone: .denied])
/// let manager = AuthorizationManager(service: service)
/// ```
public actor SpeechServiceDouble: SpeechService {
    /// What the user does when they are asked.
    public enum UserAnswer: Sendable, Hashable, CaseIterable {
        case allow
        case deny
        /// Closes the prompt; nothing is decided.
        case close
    }

    private struct Session {
        let events: AsyncThrowingStream<TimedDictationEvent, any Error>.Continuation
        let endsAfterSpeech: Bool
        var time = 0.0
        var isSuspended = false
    }

    /// What was asked of the user, in order.
    public private(set) var asked: [Resource] = []
    /// The dictations that were requested, also those that were refused.
    public private(set) var dictationRequests: [DictationRequest] = []

    private var statuses: [Resource: AuthorizationStatus]
    private var answers: [Resource: UserAnswer]
    private var fidelity = Fidelity.full
    private var isFullOnce = false
    private var failure: (any Error)?
    /// Said before anything listened.
    private var unheard: [String] = []
    private var sessions: [String: Session] = [:]
    private var changes: [PermissionEvent] = []
    private var readers: [Int: AsyncThrowingStream<PermissionEvent, any Error>.Continuation] = [:]
    private var lastReader = 0

    /// - Parameters:
    ///   - statuses: default: `notDetermined`.
    ///   - answers: default: `allow`.
    public init(_ statuses: [Resource: AuthorizationStatus] = [:], answering answers: [Resource: UserAnswer] = [:]) {
        self.statuses = statuses
        self.answers = answers
    }

    // MARK: What a test sets

    /// Changes a status. Sessions that need it end unless it is `authorized`.
    public func set(_ status: AuthorizationStatus, for resource: Resource) {
        guard self.status(of: resource) != status else { return }
        statuses[resource] = status
        changes.append(.changed([resource: state(of: resource)], isMuted: false, cursor: cursor(changes.count + 1)))
        for reader in readers.values { reader.yield(changes[changes.count - 1]) }
        guard status != .authorized else { return }
        for session in sessions.keys { end(session, status == .restricted ? .restricted : .revoked) }
    }

    /// What the user will answer when they are asked.
    public func set(_ answer: UserAnswer, to resource: Resource) { answers[resource] = answer }

    /// How much of what is said a grant of speech recognition gives from now on.
    public func set(_ fidelity: Fidelity) { self.fidelity = fidelity }

    /// Lets all further requests fail; `nil`: no more. Open streams go on.
    public func fail(with error: (any Error)?) { failure = error }

    /// Somebody says this: each text is an utterance of the running dictations, else of the next one, or of the next file. A
    /// dictation with `stopAfterSilence` ends after it.
    public func say(_ texts: String...) {
        guard !sessions.isEmpty else {
            unheard += texts
            return
        }
        for session in sessions.keys { hear(texts, in: session) }
    }

    /// Sends an event to the running dictations, such as `paused` or an `ended` with `deviceLost`.
    public func send(_ event: DictationEvent) {
        for session in sessions.keys { send(event, to: session) }
    }

    // MARK: What a program asks

    public func permissions() throws -> Permissions {
        try check()
        return reply
    }

    public func permissionEvents(after cursor: String?) throws -> EventStream<PermissionEvent> {
        try check()
        let (stream, events) = AsyncThrowingStream.makeStream(of: PermissionEvent.self)
        if let cursor, let known = (0...changes.count).first(where: { self.cursor($0) == cursor }) {
            events.yield(.resumed(cursor: cursor))
            for change in changes[known...] { events.yield(change) }
        } else {
            if cursor != nil { events.yield(.gap) }
            events.yield(.state(reply, cursor: self.cursor(changes.count)))
        }
        lastReader += 1
        let reader = lastReader
        readers[reader] = events
        events.onTermination = { [weak self] _ in Task { await self?.leave(reader) } }
        return EventStream(stream)
    }

    /// Every language is recognised.
    @discardableResult
    public func requestAuthorization(
        for resource: Resource?, scope: Scope?, language: String?
    ) throws -> Permissions {
        try check()
        guard scope != .once else {
            throw ClientError(Refusal(.invalidValue, message: "Only the user chooses “once”."))
        }
        do {
            try ask(for: resource.map { [$0] } ?? Self.both)
        } catch {
            guard resource == nil, var refusal = error.refusal, refusal.resource == .microphone else { throw error }
            // As the gate answers a request for both.
            refusal.status = .denied
            throw ClientError(refusal)
        }
        return reply
    }

    @discardableResult
    public func requestTemporaryFullFidelity(purposeKey: String) throws -> Permissions {
        try check()
        guard status(of: .speechRecognition) == .authorized else { throw refusal(.speechRecognition) }
        guard fidelity == .reduced, !isFullOnce else { throw refusal(.speechRecognition, as: .alreadyFull) }
        try answered(.speechRecognition)
        isFullOnce = true
        return reply
    }

    public func dictate(_ request: DictationRequest) throws -> DictationStream {
        dictationRequests.append(request)
        try check()
        if request.ask == false {
            for resource in Self.both where status(of: resource) != .authorized { throw refusal(resource) }
        }
        try ask(for: Self.both)
        let (stream, events) = AsyncThrowingStream.makeStream(of: TimedDictationEvent.self)
        let session = begin(events, request)
        let grants = Dictionary(uniqueKeysWithValues: Self.both.map { ($0, "double") })
        send(.started(session: session, device: request.device ?? "default", grants: grants), to: session)
        if request.suspended == true {
            pause(session)
        } else if !unheard.isEmpty {
            defer { unheard = [] }
            hear(unheard, in: session)
        }
        return EventStream(stream)
    }

    public func send(_ control: SessionControl, toSession session: String) throws {
        try check()
        guard sessions[session] != nil else {
            throw ClientError(Refusal(.notFound, message: "You have no session with this ID."))
        }
        switch control {
        case .end: end(session, .ended)
        case .cancel: end(session, .cancelled)
        case .suspend: pause(session)
        case .resume:
            sessions[session]?.isSuspended = false
            send(.resumed(.suspended), to: session)
        }
    }

    public func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, hints: TranscriptionHints, language: String?, startingAt start: Double
    ) async throws -> DictationStream where File.Element == [UInt8] {
        try check()
        try ask(for: [.speechRecognition])
        for try await _ in file {}
        let (stream, events) = AsyncThrowingStream.makeStream(of: TimedDictationEvent.self)
        let session = begin(events, DictationRequest())
        send(.started(session: session, device: nil, grants: [.speechRecognition: "double"]), to: session)
        defer { unheard = [] }
        hear(unheard, in: session)
        end(session, .ended)
        return EventStream(stream)
    }

    // MARK: Permissions

    private static let both = [Resource.speechRecognition, .microphone]

    private func check() throws { if let failure { throw failure } }

    private func status(of resource: Resource) -> AuthorizationStatus { statuses[resource] ?? .notDetermined }

    private func state(of resource: Resource) -> ResourceState {
        let isFull = fidelity == .full || isFullOnce
        let grant = ResourceState.Grant(
            scope: .whileInUse, fidelity: resource == .speechRecognition ? (isFull ? .full : .reduced) : nil)
        let status = status(of: resource)
        return ResourceState(status: status, grant: status == .authorized ? grant : nil)
    }

    private var reply: Permissions {
        Permissions(
            client: "org.example.double", name: "Double",
            states: Dictionary(uniqueKeysWithValues: Resource.allCases.map { ($0, state(of: $0)) }))
    }

    /// Asks the user for what is not determined, until something is not allowed.
    private func ask(for resources: [Resource]) throws(ClientError) {
        for resource in resources {
            if status(of: resource) == .notDetermined {
                try answered(resource)
                set(.authorized, for: resource)
            }
            guard status(of: resource) == .authorized else { throw refusal(resource) }
        }
    }

    /// - Throws: unless the user allows it.
    private func answered(_ resource: Resource) throws(ClientError) {
        asked.append(resource)
        switch answers[resource] ?? .allow {
        case .allow: return
        case .deny:
            if status(of: resource) == .notDetermined { set(.denied, for: resource) }
            throw refusal(resource, as: .denied)
        case .close: throw refusal(resource, as: .noAnswer)
        }
    }

    private func refusal(_ resource: Resource, as reason: Refusal.Reason? = nil) -> ClientError {
        let present = self.status(of: resource)
        let usual: Refusal.Reason =
            switch present {
            case .notDetermined, .authorized: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            }
        let reason = reason ?? usual
        return ClientError(
            Refusal(
                reason, message: "\(resource.rawValue): \(reason)", status: present, resource: resource,
                client: reply.client))
    }

    private func cursor(_ number: Int) -> String { "double:\(number)" }

    private func leave(_ reader: Int) { readers[reader] = nil }

    // MARK: Sessions

    private func begin(
        _ events: AsyncThrowingStream<TimedDictationEvent, any Error>.Continuation, _ request: DictationRequest
    ) -> String {
        let session = UUID().uuidString
        sessions[session] = Session(events: events, endsAfterSpeech: request.stopAfterSilence != nil)
        events.onTermination = { [weak self] _ in Task { await self?.forget(session) } }
        return session
    }

    private func hear(_ texts: [String], in session: String) {
        guard let found = sessions[session], !found.isSuspended else { return }
        for text in texts {
            let start = sessions[session]?.time ?? 0
            send(.speechStarted(at: start), to: session)
            sessions[session]?.time += 1
            send(.final(Transcript(text: text, start: start, end: start + 1, words: [])), to: session)
        }
        if found.endsAfterSpeech { end(session, .silence) }
    }

    private func pause(_ session: String) {
        sessions[session]?.isSuspended = true
        send(.paused(.suspended), to: session)
    }

    private func end(_ session: String, _ ending: DictationEnding) {
        send(.ended(ending, message: nil), to: session)
    }

    /// The last event ends the session.
    private func send(_ event: DictationEvent, to session: String) {
        guard let found = sessions[session] else { return }
        found.events.yield(TimedDictationEvent(time: found.time, event: event))
        guard case .ended = event else { return }
        sessions[session] = nil
        isFullOnce = false
        found.events.finish()
    }

    private func forget(_ session: String) { sessions[session] = nil }
}
