import Authorization
import SocketAPI

/// The lines that one follower reads, made as it reads them: a slow one holds nothing but its place.
struct AuthorizationEvents: AsyncSequence, Sendable {
    typealias Element = AuthorizationEvent

    let gate: Gate
    let requester: Requester
    /// Where it goes on, if it followed before.
    let after: ChangeCursor?
    let problems: ProblemBoard

    func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let events: AuthorizationEvents
        private var cursor: ChangeCursor?
        private var updates: [AuthorizationUpdate] = []
        private var hasToldState = false

        init(events: AuthorizationEvents) { self.events = events }

        mutating func next() async -> AuthorizationEvent? {
            guard let cursor else { return await first() }
            if !hasToldState { return await state() }
            var place = cursor
            while true {
                while !updates.isEmpty {
                    let update = updates.removeFirst()
                    place = update.cursor
                    self.cursor = place
                    let standings = update.standings(for: events.requester)
                    guard !standings.isEmpty else { continue }
                    return .changed(
                        cursor: place.description, muted: update.isMuted, resources: ResourceState.states(standings))
                }
                switch await events.gate.history.updates(after: place) {
                case .updates(let next): updates = next
                case .gap:
                    hasToldState = false
                    return .gap
                case .cancelled: return nil
                }
            }
        }

        private mutating func first() async -> AuthorizationEvent {
            guard let after = events.after else { return await state() }
            cursor = after
            guard events.gate.history.covers(after) else { return .gap }
            hasToldState = true
            return .resumed(cursor: after.description)
        }

        private mutating func state() async -> AuthorizationEvent {
            let position = await events.gate.position(of: events.requester)
            hasToldState = true
            cursor = position.cursor
            let problems = await events.problems.all(of: events.requester.caller.user)
            return .state(
                cursor: position.cursor.description,
                AuthorizationReply(events.requester, position, problems: problems),
                resources: ResourceState.states(position.standings))
        }
    }
}

extension AuthorizationReply {
    init(_ requester: Requester, _ position: AuthorizationPosition, problems: [String]) {
        self.init(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: position.standings[.speechRecognition]?.status ?? .denied,
            microphone: position.standings[.microphone]?.status ?? .denied, muted: position.isMuted,
            speechRecognitionGrant: position.standings[.speechRecognition]?.grant(of: .speechRecognition),
            microphoneGrant: position.standings[.microphone]?.grant(of: .microphone), problems: problems)
    }
}
