import Authorization
import Foundation
import TestSupport

@testable import Consent

extension ConsentLog {
    /// A log with the sample's story.
    static func told(_ storage: MemoryStorage) async throws -> ConsentLog {
        let log = try await open(storage: storage)
        for step in LedgerSamples.story { try await log.record(step.event, changing: step.change) }
        return log
    }

    /// An event that changes no decision.
    @discardableResult
    nonisolated func record(_ event: LedgerEvent) async throws -> UInt64 { try await record(event, changing: nil) }

    /// The start of the sample's session, this many times.
    nonisolated func start(_ count: Int = 1) async throws {
        for _ in 0..<count { try await record(.sessionStarted(LedgerSamples.session)) }
    }

    nonisolated func withdraw(_ key: DecisionKey) async throws {
        try await record(
            .withdrawn(key, notice: nil, decision: nil, by: LedgerSamples.requester.caller), changing: .remove(key))
    }
}

/// - Returns: the code of the error with which the work on a log fails.
func code<Value>(_ work: () async throws -> Value) async -> ConsentError.Code? {
    await failure(ConsentError.self, of: work)?.code
}

extension Data {
    /// Each copy with one bit flipped, with the place of the byte.
    var flips: [(place: Int, data: Data)] {
        indices.flatMap { place in
            (0..<8).map { bit in
                var flipped = self
                flipped[place] ^= 1 << UInt8(bit)
                return (place, flipped)
            }
        }
    }
}
