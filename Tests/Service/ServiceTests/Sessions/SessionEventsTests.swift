import Speech
import Synchronization
import Testing

@testable import Sessions

@Suite("Events for a slow client", .timeLimit(.minutes(1)))
struct SessionEventsTests {
    private func event(_ time: Double) -> TimedDictationEvent { TimedDictationEvent(time: time, event: .level(0)) }

    private func read(_ events: SessionEvents) async throws -> [TimedDictationEvent] {
        var read: [TimedDictationEvent] = []
        for try await event in events { read.append(event) }
        return read
    }

    @Test("a client that never reads does not block the session, and counts as stalled after 30 unread seconds")
    func tooSlow() {
        let givenUp = Mutex(0)
        let events = SessionEvents { givenUp.withLock { $0 += 1 } }
        for second in 0...30 { events.send(event(Double(second))) }
        #expect(givenUp.withLock { $0 } == 0)
        events.send(event(30.5))
        #expect(givenUp.withLock { $0 } == 1)
    }

    @Test("of live text that was not read only the newest is kept, and the client is as late as with all of it")
    func newest() async throws {
        let stalls = Mutex(0)
        let events = SessionEvents { stalls.withLock { $0 += 1 } }
        func live(_ time: Double) -> TimedDictationEvent {
            TimedDictationEvent(time: time, event: .partial(PartialTranscript(text: "\(time)", stablePrefix: 0)))
        }
        for number in 0...29 { events.send(live(Double(number))) }
        #expect(stalls.withLock { $0 } == 0)
        events.send(event(30))
        events.send(live(31))
        #expect(stalls.withLock { $0 } == 1)
        events.finish()
        #expect(try await read(events) == [live(29), event(30), live(31)])
    }

    @Test("events sent before the end are read, in order")
    func order() async throws {
        let events = SessionEvents {}
        for second in 0..<3 { events.send(event(Double(second))) }
        events.finish()
        #expect(try await read(events).map(\.time) == [0, 1, 2])
    }

    @Test(
        "unread words are dropped when the permission ends",
        arguments: [
            DictationEnding.revoked, .restricted,
        ])
    func dropped(_ ending: DictationEnding) async throws {
        let events = SessionEvents {}
        for second in 0..<3 { events.send(event(Double(second))) }
        events.send(TimedDictationEvent(time: 3, event: .ended(ending, message: nil)))
        events.finish()
        #expect(try await read(events).map(\.event) == [.ended(ending, message: nil)])
    }

    @Test("a waiting reader gets the next event, and the error if there is one")
    func waiting() async throws {
        struct Failure: Error {}
        let events = SessionEvents {}
        let reader = Task { try await read(events) }
        events.send(event(1))
        events.finish(throwing: Failure())
        await #expect(throws: Failure.self) { _ = try await reader.value }
    }

    @Test("a reader whose task is cancelled stops waiting")
    func cancelled() async throws {
        let events = SessionEvents {}
        let reader = Task { try await read(events) }
        reader.cancel()
        #expect(try await reader.value.isEmpty)
    }
}
