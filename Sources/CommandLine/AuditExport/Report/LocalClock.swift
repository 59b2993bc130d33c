import Consent
import Foundation

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
