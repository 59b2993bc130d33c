import Authorization
import Consent
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RecordRoutes

@Suite("Signing the log as it grows", .timeLimit(.minutes(1)))
struct CheckpointServiceTests {
    /// Keeps what it gets, and refuses as many checkpoints as it is told to.
    private actor Store: CheckpointStore {
        private var stored: StoredKeys?
        private var checkpoint: SignedNote?
        private var refusals = 0

        func keys(origin: String) -> StoredKeys? { stored }
        func replace(_ keys: LogKeys) { stored = StoredKeys(keys) }
        func lastCheckpoint() -> Data? { checkpoint?.data }
        func replace(_ checkpoint: SignedNote) throws {
            guard refusals == 0 else {
                refusals -= 1
                throw POSIXError(.ENOSPC)
            }
            self.checkpoint = checkpoint
        }
        func refuse(_ count: Int) { refusals = count }
        var size: UInt64 { checkpoint.flatMap { Checkpoint(text: $0.text) }?.size ?? 0 }
    }

    private let state: StateFixture
    private let store = Store()
    private var log: ConsentLog { state.log }

    init() async throws {
        state = try await StateFixture()
        try await log.beginSigning(with: store)
    }

    private func record() async throws {
        try await log.record(.recovered(sessions: []), changing: nil)
    }

    private func allIsSigned() async throws {
        while await store.size < log.head.size {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test(
        "records that a killed service left are signed at once, later ones when recorded, also after the disk was full"
    )
    func growth() async throws {
        try await record()
        let service = CheckpointService(
            log: log, logger: Logger(label: "test"), pause: .milliseconds(1), pauseAfterFailure: .milliseconds(1))
        let running = Task { try await service.run() }
        defer { running.cancel() }
        try await allIsSigned()
        for refusals in [0, 3, 0] {
            await store.refuse(refusals)
            for _ in 0..<5 { try await record() }
            try await allIsSigned()
        }
    }
}
