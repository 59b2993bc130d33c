/// How long VoiceGate keeps a kind of data: one number and one unit of ISO 8601 (`P30D`, `PT12H`, `P1Y`), so that a notice
/// can say it in words, or `untilWithdrawn`. More than nothing and at most ten years.
public enum KeepingTime: Sendable, Hashable, Codable {
    case limited(Int, KeepingUnit)
    /// Until the person takes the permission back or erases it.
    case untilWithdrawn

    /// Ten years of 365 days.
    static let longest: Int64 = 3650 * 86_400

    /// - Returns: `nil` when the text is no such time.
    public init?(_ text: String) {
        if text == Self.untilWithdrawn.text {
            self = .untilWithdrawn
            return
        }
        guard text.utf8.count <= 16, let letter = text.last,
            let unit = KeepingUnit.allCases.first(where: { unit in
                unit.frame.letter == letter && text.hasPrefix(unit.frame.prefix)
                    && text.hasPrefix("PT") == (unit.frame.prefix == "PT")
            })
        else { return nil }
        let digits = text.dropFirst(unit.frame.prefix.count).dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count > 0,
            !Int64(count).multipliedReportingOverflow(by: unit.seconds).overflow,
            Int64(count) * unit.seconds <= Self.longest
        else { return nil }
        self = .limited(count, unit)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a keeping time")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// As a manifest and the records write it.
    public var text: String {
        switch self {
        case .limited(let count, let unit): "\(unit.frame.prefix)\(count)\(unit.frame.letter)"
        case .untilWithdrawn: "untilWithdrawn"
        }
    }

    /// `nil`: it does not end by itself.
    public var milliseconds: Int64? {
        switch self {
        case .limited(let count, let unit): Int64(count) * unit.seconds * 1000
        case .untilWithdrawn: nil
        }
    }

    public func shorter(_ other: KeepingTime) -> KeepingTime {
        guard let own = milliseconds else { return other }
        guard let others = other.milliseconds else { return self }
        return own <= others ? self : other
    }
}

/// What is kept for how long; a kind that is absent is not kept.
public typealias KeepingTimes = [DataKind: KeepingTime]

extension KeepingTimes {
    /// What both allow, each kind for the shorter time.
    public func limited(by other: KeepingTimes) -> KeepingTimes {
        reduce(into: [:]) { common, entry in
            if let theirs = other[entry.key] { common[entry.key] = entry.value.shorter(theirs) }
        }
    }

    /// In the order in which a notice names them.
    public var inOrder: [(kind: DataKind, time: KeepingTime)] {
        DataKind.allCases.compactMap { kind in self[kind].map { (kind, $0) } }
    }
}

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
