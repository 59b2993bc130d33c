import Foundation

/// Bounds the reports of what happens repeatedly: the first of a kind is reported, further ones are counted until the interval
/// is over.
public struct Throttle<Kind: Hashable & Sendable>: Sendable {
    private struct Entry {
        var reportedAt: Date
        var repeated = 0
    }

    private var entries: [Kind: Entry] = [:]

    public init() {}

    /// - Parameter interval: in seconds.
    /// - Returns: the number not reported since the last report, if this one is to be reported; else `nil`.
    public mutating func reports(_ kind: Kind, at now: Date, interval: TimeInterval) -> Int? {
        // If the clock was set back, the age is negative and it is reported.
        if let entry = entries[kind], (0..<interval).contains(now.timeIntervalSince(entry.reportedAt)) {
            entries[kind]?.repeated += 1
            return nil
        }
        let repeated = entries[kind]?.repeated ?? 0
        // A hostile client can create executables without bound.
        if entries.count >= 4096 { entries.removeAll() }
        entries[kind] = Entry(reportedAt: now)
        return repeated
    }
}
