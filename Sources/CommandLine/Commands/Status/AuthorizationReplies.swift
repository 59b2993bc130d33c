import SocketAPI
import VoiceGateClient

/// How things stand, whole, after each event of the stream of changes.
struct AuthorizationReplies: AsyncSequence, Sendable {
    typealias Element = AuthorizationReply

    let events: EventStream<AuthorizationEvent>

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        private var events: EventStream<AuthorizationEvent>.Iterator
        private var last: AuthorizationReply?

        init(events: EventStream<AuthorizationEvent>.Iterator) { self.events = events }

        mutating func next() async throws -> AuthorizationReply? {
            while let event = try await events.next() {
                switch event {
                case .state(_, let reply, _):
                    last = reply
                    return reply
                case .changed(_, let muted, let resources):
                    last = last?.applying(muted: muted, resources)
                    if let last { return last }
                case .gap, .resumed:
                    break
                }
            }
            return nil
        }
    }
}
