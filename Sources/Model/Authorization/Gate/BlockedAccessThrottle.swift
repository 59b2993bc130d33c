import Foundation

/// Keeps a client that asks again and again from filling the log: the first refusal of a kind is recorded, further ones
/// are counted until the interval is over.
struct BlockedAccessThrottle {
    private struct Kind: Hashable {
        let key: DecisionKey
        let code: RefusalCode
    }

    private struct Entry {
        var recordedAt: Date
        var repeated = 0
    }

    private var entries: [Kind: Entry] = [:]

    /// - Returns: how many went unrecorded since the last record when this one is to be recorded, else `nil`.
    mutating func recordsRefusal(
        of key: DecisionKey, code: RefusalCode, at now: Date, interval: TimeInterval
    ) -> Int? {
        let kind = Kind(key: key, code: code)
        // A clock set back makes the age negative: record rather than be silent.
        if let entry = entries[kind], (0..<interval).contains(now.timeIntervalSince(entry.recordedAt)) {
            entries[kind]?.repeated += 1
            return nil
        }
        let repeated = entries[kind]?.repeated ?? 0
        // Clients are bounded by the executables of a machine, but a hostile one can make executables.
        if entries.count >= 4096 { entries.removeAll() }
        entries[kind] = Entry(recordedAt: now)
        return repeated
    }
}
