import Foundation

/// What a clock on the wall shows. The hour that is put back in autumn is shown twice, the one that is left out in
/// spring never.
struct LocalTime: Hashable {
    /// Days since 1 January 1970, of the calendar on the wall.
    let day: Int
    /// Minutes since midnight, 0 to 1439.
    let minute: Int

    init(_ date: Date, in timeZone: TimeZone) {
        self.init(secondsOnTheWall: Int(date.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: date))
    }

    private init(secondsOnTheWall seconds: Int) {
        day = Int((Double(seconds) / 86_400).rounded(.down))
        minute = (seconds - day * 86_400) / 60
    }

    /// When the clock shows one of these minutes, within the days after a moment; also when it is put forward or back.
    static func dates(
        showing minutes: Set<Int>, after date: Date, days: Int, in timeZone: TimeZone
    ) -> [Date] {
        var found: [Date] = []
        let end = date.addingTimeInterval(Double(days) * 86_400)
        var start = date
        while start < end {
            // Between two shifts of the clock local time runs evenly, so that this is mere arithmetic.
            let offset = timeZone.secondsFromGMT(for: start)
            let shift = timeZone.nextDaylightSavingTimeTransition(after: start) ?? end
            let stop = min(shift, end)
            let firstDay = LocalTime(start, in: timeZone).day
            let lastDay = LocalTime(stop, in: timeZone).day + 1
            for day in firstDay...max(firstDay, lastDay) {
                for minute in minutes {
                    let moment = Date(timeIntervalSince1970: Double(day * 86_400 + minute * 60 - offset))
                    if moment > date, moment >= start, moment < stop { found.append(moment) }
                }
            }
            if shift < end { found.append(shift) }
            // A zone that names no later shift must not hold this up.
            guard stop > start else { break }
            start = stop
        }
        return found.sorted()
    }
}
