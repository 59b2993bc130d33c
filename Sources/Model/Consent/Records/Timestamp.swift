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
        var text = text
        guard let time = text.withUTF8({ Timestamp(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = time
    }

    /// The same for the text's UTF-8.
    init?(utf8 bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24 else { return nil }
        for (place, separator) in Self.separators where bytes[place] != separator { return nil }
        func number(_ place: Int, _ digits: Int) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[place..<(place + digits)] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), let fraction = number(20, 3),
            year >= 1, (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        let days = date.daysSince1970
        // A 30th of February is another day when it is counted back.
        guard CivilDate(daysSince1970: days) == date else { return nil }
        milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
    }

    private static let separators: [(Int, UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")), (19, UInt8(ascii: ".")), (23, UInt8(ascii: "Z")),
    ]

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// RFC 3339 in UTC: `2026-01-31T12:00:00.123Z`
    public var text: String {
        let (days, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        var text = ""
        text.reserveCapacity(24)
        for (number, width, separator) in [
            (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (inDay / 3_600_000, 2, ":"),
            (inDay / 60_000 % 60, 2, ":"), (inDay / 1000 % 60, 2, "."), (inDay % 1000, 3, "Z"),
        ] {
            let digits = String(number)
            for _ in digits.utf8.count..<max(width, digits.utf8.count) { text += "0" }
            text += digits
            text += separator
        }
        return text
    }
}

/// Coded as `text`.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not a time of a record.")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension SignedInteger {
    /// Rounds towards negative infinity.
    public func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let result = quotientAndRemainder(dividingBy: divisor)
        return result.remainder < 0
            ? (result.quotient - 1, result.remainder + divisor) : (result.quotient, result.remainder)
    }
}

/// A day of the proleptic Gregorian calendar, in UTC. Foundation's calendar does the same in fifty times the time, and
/// each record has one.
public struct CivilDate: Sendable, Equatable {
    public let year: Int64
    public let month: Int64
    public let day: Int64

    public init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Years are counted from March, so that the leap day is the last; 400 of them have 146,097 days.
    public init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    public var daysSince1970: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
