import Dictation
import Synchronization
import Testing

@testable import Service

@Suite("Events on their way to a slow client")
struct SessionEventsTests {
    private func event(_ number: Int) -> TimedDictationEvent {
        TimedDictationEvent(time: Double(number), event: .level(0))
    }

    @Test("a client that never reads holds nobody up, and counts as gone after 8192 events")
    func overflow() {
        let events = SessionEvents()
        let overflows = Mutex(0)
        events.onOverflow { overflows.withLock { $0 += 1 } }
        for number in 0..<8_192 { events.send(event(number)) }
        #expect(overflows.withLock { $0 } == 0)
        events.send(event(8_192))
        #expect(overflows.withLock { $0 } == 1)
    }

    @Test("what was sent before the end is read, in order")
    func order() async {
        let events = SessionEvents()
        for number in 0..<3 { events.send(event(number)) }
        events.finish()
        var times: [Double] = []
        for await event in events.stream { times.append(event.time) }
        #expect(times == [0, 1, 2])
    }
}
