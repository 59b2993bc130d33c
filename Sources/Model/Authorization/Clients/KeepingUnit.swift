/// The unit of a keeping time, longest first as ISO 8601 writes them. A month has 30 days and a year 365.
public enum KeepingUnit: Sendable, Hashable, CaseIterable {
    case years
    case months
    case weeks
    case days
    case hours
    case minutes
    case seconds

    var seconds: Int64 {
        switch self {
        case .years: 365 * 86_400
        case .months: 30 * 86_400
        case .weeks: 7 * 86_400
        case .days: 86_400
        case .hours: 3600
        case .minutes: 60
        case .seconds: 1
        }
    }

    /// ISO 8601 names months and minutes by the same letter; what stands before it tells them apart.
    var frame: (prefix: String, letter: Character) {
        switch self {
        case .years: ("P", "Y")
        case .months: ("P", "M")
        case .weeks: ("P", "W")
        case .days: ("P", "D")
        case .hours: ("PT", "H")
        case .minutes: ("PT", "M")
        case .seconds: ("PT", "S")
        }
    }
}
