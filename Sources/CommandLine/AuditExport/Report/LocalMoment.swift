import Consent
import Foundation

/// A moment by the clock on the wall, for people.
struct LocalMoment: Sendable, Hashable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int

    /// - Parameter milliseconds: since 1970, already moved into the time zone.
    init(local milliseconds: Int64) {
        let minutes = Int(milliseconds / 60_000 - (milliseconds % 60_000 < 0 ? 1 : 0))
        let days = minutes / 1440 - (minutes % 1440 < 0 ? 1 : 0)
        hour = (minutes - days * 1440) / 60
        minute = (minutes - days * 1440) % 60
        (year, month, day) = Self.civil(days)
    }

    /// - Parameter day: days since 1970.
    init(day: Int) { self.init(local: Int64(day) * 86_400_000) }

    /// The first minute of a month.
    init(year: Int, month: Int) {
        self.year = year
        self.month = month
        (day, hour, minute) = (1, 0, 0)
    }

    /// Days since 1970.
    var dayNumber: Int {
        let shifted = year - (month <= 2 ? 1 : 0)
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The proleptic Gregorian calendar, in years that begin with March, so that the leap day is the last one.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

/// Moves moments of records into a time zone.
struct LocalClock: Sendable {
    let timeZone: TimeZone

    func moment(_ milliseconds: Int64) -> LocalMoment { LocalMoment(local: local(milliseconds)) }

    func moment(_ date: Date) -> LocalMoment { moment(Timestamp(date).milliseconds) }

    /// Hours since 1970 by the clock on the wall.
    func hour(_ milliseconds: Int64) -> Int {
        let local = local(milliseconds)
        return Int(local / 3_600_000) - (local % 3_600_000 < 0 ? 1 : 0)
    }

    private func local(_ milliseconds: Int64) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return milliseconds + Int64(timeZone.secondsFromGMT(for: date)) * 1000
    }
}
