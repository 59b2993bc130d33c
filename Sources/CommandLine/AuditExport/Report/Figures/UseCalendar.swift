/// Use by days, and by hours while it spans only a few days.
struct UseCalendar: Sendable {
    private static let hoursKept = 72
    /// Twenty years; older days are added to the oldest of these.
    private static let daysKept = 7_300

    private(set) var days: [Int: Use] = [:]
    /// `nil` once the hours span too much to be worth showing.
    private(set) var hours: [Int: Use]? = [:]

    /// - Parameter hour: hours since 1970 by the clock on the wall.
    mutating func add(_ use: Use, hour: Int) {
        let day = hour / 24 - (hour % 24 < 0 ? 1 : 0)
        days[day, default: Use()] += use
        if days.count > Self.daysKept { joinOldest() }
        guard hours != nil else { return }
        hours?[hour, default: Use()] += use
        if let first = hours?.keys.min(), let last = hours?.keys.max(), last - first > Self.hoursKept { hours = nil }
    }

    private mutating func joinOldest() {
        let sorted = days.keys.sorted()
        if let use = days.removeValue(forKey: sorted[0]) { days[sorted[1], default: Use()] += use }
    }
}
