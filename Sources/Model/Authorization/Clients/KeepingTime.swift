/// How long VoiceGate keeps a kind of data: `untilWithdrawn`, or one number and one unit of ISO 8601 (`P30D`, `PT12H`, `P1Y`)
/// of at most ten years.
public enum KeepingTime: Sendable, Hashable, Codable {
    case limited(Int, KeepingUnit)
    /// Until the person withdraws the permission or erases the data.
    case untilWithdrawn

    /// Ten years of 365 days.
    static let longest: Int64 = 3650 * 86_400

    public init?(_ text: String) {
        if text == Self.untilWithdrawn.text {
            self = .untilWithdrawn
            return
        }
        guard text.utf8.count <= 16, let letter = text.last,
            let unit = KeepingUnit.allCases.first(where: { unit in
                unit.letter == letter && text.hasPrefix(unit.prefix) && text.hasPrefix("PT") == (unit.prefix == "PT")
            })
        else { return nil }
        let digits = text.dropFirst(unit.prefix.count).dropLast()
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

    /// The form in manifests and records.
    public var text: String {
        switch self {
        case .limited(let count, let unit): "\(unit.prefix)\(count)\(unit.letter)"
        case .untilWithdrawn: "untilWithdrawn"
        }
    }

    /// `nil` for `untilWithdrawn`.
    public var milliseconds: Int64? {
        if case .limited(let count, let unit) = self { Int64(count) * unit.seconds * 1000 } else { nil }
    }

    public func shorter(_ other: KeepingTime) -> KeepingTime {
        guard let own = milliseconds else { return other }
        guard let others = other.milliseconds else { return self }
        return own <= others ? self : other
    }
}

/// How long each kind of data is kept; an absent kind is not kept.
public typealias KeepingTimes = [DataKind: KeepingTime]

extension KeepingTimes {
    /// What both keep, each kind for the shorter time.
    public func limited(by other: KeepingTimes) -> KeepingTimes {
        reduce(into: [:]) { common, entry in
            if let theirs = other[entry.key] { common[entry.key] = entry.value.shorter(theirs) }
        }
    }

    /// In the order of a notice.
    public var inOrder: [(kind: DataKind, time: KeepingTime)] {
        DataKind.allCases.compactMap { kind in self[kind].map { (kind, $0) } }
    }
}

/// The unit of a keeping time. A month has 30 days and a year 365.
public enum KeepingUnit: Sendable, Hashable, CaseIterable {
    case years, months, weeks, days, hours, minutes, seconds

    var seconds: Int64 { form.seconds }
    /// Months and minutes have the same letter; the prefix tells them apart.
    var prefix: String { form.prefix }
    var letter: Character { form.letter }

    private var form: (prefix: String, letter: Character, seconds: Int64) {
        switch self {
        case .years: ("P", "Y", 365 * 86_400)
        case .months: ("P", "M", 30 * 86_400)
        case .weeks: ("P", "W", 7 * 86_400)
        case .days: ("P", "D", 86_400)
        case .hours: ("PT", "H", 3600)
        case .minutes: ("PT", "M", 60)
        case .seconds: ("PT", "S", 1)
        }
    }
}
