import Authorization

/// How long each yes has not been used, counted along as time passes. Over a reboot only the wall's clock can tell.
struct IdleTimes {
    static let limit: Int64 = 90 * 86_400_000
    static let day: Int64 = 86_400_000

    private struct Entry {
        /// `nil`: the clock was set back over a reboot, and nobody can tell.
        var age: Int64?
        var boot: String
        var wall: Int64
    }

    private var entries: [DecisionKey: Entry] = [:]

    func holds(_ key: DecisionKey) -> Bool { (entries[key]?.age).map { $0 < Self.limit } ?? false }

    /// A session begins: whether its use is written down.
    func isUseNews(_ key: DecisionKey) -> Bool { (entries[key]?.age).map { $0 >= Self.day } ?? false }

    mutating func used(_ key: DecisionKey, at now: Moment) {
        entries[key] = Entry(age: 0, boot: now.boot, wall: now.wall)
    }

    /// The yes was written again for another reason.
    mutating func amended(_ key: DecisionKey, at now: Moment) {
        if entries[key]?.age != nil { entries[key]?.boot = now.boot }
    }

    mutating func pass(_ milliseconds: Int64) {
        for key in entries.keys {
            if let age = entries[key]?.age { entries[key]?.age = age + milliseconds }
        }
    }

    mutating func restarted(at now: Moment) {
        for (key, entry) in entries where entry.boot != now.boot {
            let age = now.wall - entry.wall
            entries[key]?.age = age >= 0 ? age : nil
        }
    }
}
