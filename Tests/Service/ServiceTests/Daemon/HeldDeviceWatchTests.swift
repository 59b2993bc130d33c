import Logging
import Testing

@testable import Daemon
@testable import Server

@Suite("A device that does not close", .timeLimit(.minutes(1)))
struct HeldDeviceWatchTests {
    @Test("ends the service if it stays open; one that was held and has closed does not")
    func ends() async {
        let (states, queue) = AsyncStream.makeStream(of: Set<String>.self)
        queue.yield(["closes"])
        queue.yield([])
        queue.yield(["stays"])
        let watch = HeldDeviceWatch(
            states: states, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limit: .seconds(1))
        let error = await #expect(throws: ServiceError.self) { try await watch.run() }
        #expect(error?.code == .deviceHeld)
        #expect(error?.message.contains("stays") == true)
    }
}
