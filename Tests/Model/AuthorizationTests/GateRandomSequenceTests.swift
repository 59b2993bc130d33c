import Foundation
import TestSupport
import Testing

@Suite("Random sequences")
struct GateRandomSequenceTests {
    /// A failure names the seed; this runs its sequence again.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["VOICEGATE_RANDOM_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
    }

    @Test("the gate stands as the reference model does; no frame without a live grant; restricted dominates")
    func matchesReference() async throws {
        let seed = Self.seed
        print("random sequence: seed \(seed), \(Repetitions.gateOperations) operations")
        var world = try await RandomWorld(seed: seed)
        for step in 0..<Repetitions.gateOperations {
            let operation = try await world.step()
            await world.check("seed \(seed), step \(step), \(operation)")
        }
        #expect(world.ledger.events.count > Repetitions.gateOperations / 20)
    }
}
