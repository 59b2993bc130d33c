import Foundation

/// A time in whole milliseconds since 1970, so that writing and reading it again gives the same.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The nearest millisecond of the years 1 to 9999, which are those that RFC 3339 can write.
    public init(_ date: Date) {
        let range = -62_135_596_800_000.0...253_402_300_799_999.0
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        milliseconds = exact.isNaN ? 0 : Int64(min(max(exact, range.lowerBound), range.upperBound))
    }

    /// - Returns: `nil` unless the text is written as `text` writes it.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 4, parts[1].hasSuffix("Z"),
            let fraction = Int64(parts[1].dropLast()),
            let seconds = try? Date("\(parts[0])Z", strategy: .iso8601)
        else { return nil }
        self.init(milliseconds: Int64(seconds.timeIntervalSince1970.rounded()) * 1000 + fraction)
        guard self.text == text else { return nil }
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// RFC 3339 in UTC: `2026-01-31T12:00:00.123Z`
    public var text: String {
        let (seconds, fraction) = milliseconds.flooredDivision(by: 1000)
        let digits = String(fraction + 1000).dropFirst()
        return Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().dropLast() + "." + digits + "Z"
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let result = quotientAndRemainder(dividingBy: divisor)
        return result.remainder < 0
            ? (result.quotient - 1, result.remainder + divisor) : (result.quotient, result.remainder)
    }
}
