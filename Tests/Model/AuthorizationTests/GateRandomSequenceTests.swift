import Foundation
import Testing

@Suite("Random sequences")
struct GateRandomSequenceTests {
    /// Operations of a run; `make soak` asks for more.
    static var operations: Int {
        ProcessInfo.processInfo.environment["VOICEGATE_RANDOM_OPERATIONS"].flatMap { Int($0) } ?? 100_000
    }

    /// A failure names the seed; this runs its sequence again.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["VOICEGATE_RANDOM_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
    }

    @Test("the gate stands as the reference model does; no frame without a live grant; restricted dominates")
    func matchesReference() async throws {
        let seed = Self.seed
        print("random sequence: seed \(seed), \(Self.operations) operations")
        var world = try await RandomWorld(seed: seed)
        for step in 0..<Self.operations {
            let operation = try await world.step()
            await world.check("seed \(seed), step \(step), \(operation)")
        }
        #expect(world.ledger.events.count > Self.operations / 20)
    }
}
