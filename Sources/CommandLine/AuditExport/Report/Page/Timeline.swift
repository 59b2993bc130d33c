/// The columns of the timeline: hours, days, weeks, months or years, so that there are few enough to be seen.
struct Timeline {
    enum Unit: Sendable, Hashable, CaseIterable {
        case hour
        case day
        case week
        case month
        case year
    }

    let unit: Unit
    /// Numbers of the first and last column, by the unit's own count.
    let range: ClosedRange<Int>

    /// - Returns: `nil` when nothing listened.
    init?(_ calendar: UseCalendar) {
        if let hours = calendar.hours, let first = hours.keys.min(), let last = hours.keys.max() {
            unit = .hour
            // Whole days, so that the time of day is seen at a glance.
            range = Self.floor(first, 24) * 24...Self.floor(last, 24) * 24 + 23
            return
        }
        guard let first = calendar.days.keys.min(), let last = calendar.days.keys.max() else { return nil }
        switch last - first {
        case ...69: unit = .day
        case ...489: unit = .week
        case ...2_190: unit = .month
        default: unit = .year
        }
        // Never so few columns that one becomes a wall; the last one is the newest.
        let end = Self.column(last, unit)
        range = min(Self.column(first, unit), end - 11)...end
    }

    func columns(_ calendar: UseCalendar) -> [Int: Use] {
        if unit == .hour { return calendar.hours ?? [:] }
        var columns: [Int: Use] = [:]
        for (day, use) in calendar.days { columns[Self.column(day, unit), default: Use()] += use }
        return columns
    }

    /// The first moment of a column.
    func start(_ column: Int) -> LocalMoment {
        switch unit {
        case .hour: LocalMoment(local: Int64(column) * 3_600_000)
        case .day: LocalMoment(day: column)
        case .week: LocalMoment(day: column * 7 - 3)
        case .month: LocalMoment(day: Self.day(year: column / 12, month: column % 12 + 1))
        case .year: LocalMoment(day: Self.day(year: column, month: 1))
        }
    }

    private static func column(_ day: Int, _ unit: Unit) -> Int {
        switch unit {
        case .hour: day * 24
        case .day: day
        // Weeks begin on Monday; the first day of 1970 was a Thursday.
        case .week: floor(day + 3, 7)
        case .month: LocalMoment(day: day).year * 12 + LocalMoment(day: day).month - 1
        case .year: LocalMoment(day: day).year
        }
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    private static func day(year: Int, month: Int) -> Int { LocalMoment(year: year, month: month).dayNumber }
}
