import Authorization
import Yams

/// `hours` and `days` of a rule.
enum PolicyTimes {
    /// Windows of one rule.
    static let windowLimit = 24

    /// - Returns: `nil` when the rule names neither.
    static func hours(_ fields: PolicyFields) throws(PolicyFileError) -> PolicyHours? {
        var windows: [PolicyHours.Window] = []
        for word in try fields.words("hours", limit: windowLimit) ?? [] {
            guard let window = window(word) else {
                throw fields.invalid("hours", "Write \"22:00-06:00\", in quotation marks, or a list of such.")
            }
            windows.append(window)
        }
        var days: Set<Weekday> = []
        for word in try fields.words("days", limit: Weekday.allCases.count) ?? [] {
            guard let day = Weekday(rawValue: word) else {
                throw fields.invalid("days", "Write a list of mon, tue, wed, thu, fri, sat, sun.")
            }
            days.insert(day)
        }
        return windows.isEmpty && days.isEmpty ? nil : PolicyHours(windows: windows, days: days)
    }

    /// `HH:MM-HH:MM`, of which the second may be 24:00.
    private static func window(_ word: String) -> PolicyHours.Window? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = minutes(parts[0]), let end = minutes(parts[1]) else { return nil }
        return PolicyHours.Window(start: start, end: end)
    }

    private static func minutes(_ word: Substring) -> Int? {
        let bytes = Array(word.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        return minute < 60 && (hour < 24 || hour == 24 && minute == 0) ? hour * 60 + minute : nil
    }
}
