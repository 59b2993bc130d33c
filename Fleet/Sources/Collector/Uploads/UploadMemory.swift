import Synchronization

/// The bytes that all uploads keep in memory. A package may have many megabytes, but hardly any does: it is the sum that is
/// bounded.
final class UploadMemory: Sendable {
    /// What an upload may keep in any case; an honest package with its batch takes less.
    private static let share = 3 << 20

    private let limit: Int
    private let total = Atomic(0)

    /// - Parameter limit: bytes of all uploads together.
    init(limit: Int) { self.limit = limit }

    /// What one upload keeps.
    struct Account: ~Copyable {
        private let memory: UploadMemory
        private var kept = 0

        init(_ memory: UploadMemory) { self.memory = memory }

        deinit { memory.total.subtract(kept, ordering: .relaxed) }

        /// - Throws: `Refusal` with 503 if the upload keeps more than its share while all together keep too much.
        mutating func set(_ bytes: Int) throws {
            let total = memory.total.add(bytes - kept, ordering: .relaxed).newValue
            kept = bytes
            guard total <= memory.limit || bytes <= UploadMemory.share else {
                throw Refusal.busy(.serviceUnavailable, after: 5 + Int.random(in: 0...10))
            }
        }
    }
}
