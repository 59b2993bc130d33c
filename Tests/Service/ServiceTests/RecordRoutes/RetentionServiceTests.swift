import Authorization
import Base
import Foundation
import Logging
import Storage
import TestSupport
import Testing

@testable import RecordRoutes
@testable import Retention

@Suite("The retention service", .timeLimit(.minutes(1)))
struct RetentionServiceTests {
    @Test("it erases at its start, even if the sweep before it failed")
    func firstRound() async throws {
        let state = try await StateFixture()
        let ledger = RecordingLedger()
        // One that a service left that was killed while it wrote.
        let session = SessionDescription(
            identifier: "s", requester: Samples.requester(), grants: [.speechRecognition: "1"], device: nil)
        let left = try await state.items(ledger).begin(.transcript, of: session, for: .untilWithdrawn).item.identifier
        let items = try state.items(ledger)
        ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await items.sweep() }
        ledger.recover()

        let (writes, write) = AsyncStream<LedgerEvent>.makeStream()
        ledger.onWrite { write.yield($0) }
        let service = RetentionService(items: items, logger: Logger(label: "test"))
        let running = Task { try await service.run() }
        let first = await writes.first { _ in true }
        guard case .dataErased(let items, _, _, _, let reason)? = first else {
            Issue.record("nothing was erased")
            return
        }
        #expect(items == [left] && reason == .incomplete)
        running.cancel()
        try await running.value
        #expect(try await state.storage.entries().isEmpty)
    }
}
