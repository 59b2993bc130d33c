import Authorization
import Base
import Synchronization
import Testing

@Suite("A latch")
struct LatchTests {
    private final class Journal: Sendable {
        private let state = Mutex<[String]>([])

        var lines: [String] { state.withLock { $0 } }

        func note(_ line: String) { state.withLock { $0.append(line) } }
    }

    private final class Resource: Sendable {
        func use() {}
    }

    @Test("calls its handlers once, in the order of their registration, with the first reason")
    func order() {
        let latch = Latch<String>()
        let journal = Journal()
        latch.onSet { journal.note("first \($0)") }
        latch.onSet { journal.note("second \($0)") }
        #expect(latch.reason == nil)
        latch.set("closed")
        latch.set("again")
        #expect(latch.reason == "closed")
        #expect(journal.lines == ["first closed", "second closed"])
    }

    @Test("its value is waited for, also in a cancelled task, and is there at once when it is set already")
    func value() async {
        let latch = Latch<String>()
        let waiting = Task { await latch.value }
        waiting.cancel()
        latch.set("closed")
        #expect(await waiting.value == "closed")
        #expect(await latch.value == "closed")
    }

    @Test("its value is waited for until a deadline, or until the task is cancelled")
    func deadline() async {
        let latch = Latch<String>()
        #expect(await latch.value(within: .zero) == nil)
        let (cancelled, waiting) = (
            Task { await latch.value(within: .seconds(60)) }, Task { await latch.value(within: .seconds(60)) }
        )
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        latch.set("closed")
        #expect(await waiting.value == "closed")
        #expect(await latch.value(within: .zero) == "closed")
    }

    @Test("calls a handler at once when it is set already")
    func late() {
        let latch = Latch<Void>()
        let journal = Journal()
        latch.set()
        let registration = latch.onSet { journal.note("late") }
        registration.cancel()
        #expect(journal.lines == ["late"])
    }

    @Test("does not call a handler whose registration was cancelled, and calls the others")
    func cancelled() {
        let latch = Latch<Void>()
        let journal = Journal()
        latch.onSet { journal.note("first") }
        let registration = latch.onSet { journal.note("removed") }
        latch.onSet { journal.note("last") }
        registration.cancel()
        registration.cancel()
        latch.set()
        #expect(journal.lines == ["first", "last"])
    }

    @Test("releases what a handler captured when its registration is cancelled")
    func releases() {
        let latch = Latch<Void>()
        weak var captured: Resource?
        var registration: Registration?
        do {
            let resource = Resource()
            captured = resource
            registration = latch.onSet { resource.use() }
        }
        #expect(captured != nil)
        registration?.cancel()
        #expect(captured == nil)
        #expect(latch.reason == nil)
    }

    @Test("releases its handlers when it is set")
    func releasesWhenSet() {
        let latch = Latch<Void>()
        weak var captured: Resource?
        do {
            let resource = Resource()
            captured = resource
            latch.onSet { resource.use() }
        }
        latch.set()
        #expect(captured == nil)
    }

    @Test("a handler may register another handler and cancel itself")
    func reentrant() {
        let latch = Latch<Void>()
        let journal = Journal()
        latch.onSet {
            journal.note("outer")
            latch.onSet { journal.note("inner") }.cancel()
        }
        latch.set()
        #expect(journal.lines == ["outer", "inner"])
    }
}
