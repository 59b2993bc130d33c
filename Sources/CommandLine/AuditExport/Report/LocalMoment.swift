import Consent
import Foundation

/// A local date and time.
struct LocalMoment: Sendable {
    let date: CivilDate
    let hour: Int
    let minute: Int
    /// `nil`: not shown.
    private(set) var second: Int?

    /// - Parameter milliseconds: since 1970, in local time.
    init(local milliseconds: Int64) {
        let (days, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        date = CivilDate(daysSince1970: days)
        (hour, minute, second) = (Int(inDay / 3_600_000), Int(inDay / 60_000 % 60), Int(inDay / 1000 % 60))
    }

    /// The first minute of a day.
    init(_ date: CivilDate) { (self.date, hour, minute) = (date, 0, 0) }

    /// The same, shown to the minute.
    var inMinutes: LocalMoment {
        var moment = self
        moment.second = nil
        return moment
    }
}

/// Converts times of records to local time.
struct LocalClock: Sendable {
    let timeZone: TimeZone

    func moment(_ milliseconds: Int64) -> LocalMoment { LocalMoment(local: local(milliseconds)) }

    func moment(_ date: Date) -> LocalMoment { moment(Timestamp(date).milliseconds) }

    /// Hours since 1970, in local time.
    func hour(_ milliseconds: Int64) -> Int {
        Int(local(milliseconds).flooredDivision(by: 3_600_000).quotient)
    }

    private func local(_ milliseconds: Int64) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return milliseconds + Int64(timeZone.secondsFromGMT(for: date)) * 1000
    }
}
