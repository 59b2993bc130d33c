import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite("Blocking work side by side", .timeLimit(.minutes(1)))
struct BlockingQueuesTests {
    private final class State: Sendable {
        let value = Mutex((begun: 0, ended: 0, isOver: false))
    }

    @Test("tasks go on while as many pieces compute as there are queues")
    func tasks() async throws {
        let width = 2 * ProcessInfo.processInfo.activeProcessorCount
        let queues = BlockingQueues(label: "test", width: width)
        let state = State()
        for _ in 0..<width {
            queues.async {
                state.value.withLock { $0.begun += 1 }
                while !state.value.withLock({ $0.isOver }) {}
            } then: {
                state.value.withLock { $0.ended += 1 }
            }
        }
        try await eventually { state.value.withLock { $0.begun } == width }
        state.value.withLock { $0.isOver = true }
        try await eventually { state.value.withLock { $0.ended } == width }
    }

    @Test("a piece that takes long delays no other, while a queue is free")
    func free() async {
        let queues = BlockingQueues(label: "test", width: 2)
        let (isOver, state) = (DispatchSemaphore(value: 0), State())
        queues.async {
            isOver.wait()
        } then: {
            state.value.withLock { $0.ended += 1 }
        }
        for _ in 0..<8 { await queues.run {} }
        #expect(state.value.withLock { $0.ended } == 0)
        isOver.signal()
    }
}
