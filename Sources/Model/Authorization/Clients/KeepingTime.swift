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
