/// How numbers and times are written.
protocol ReportFormatWording: Sendable {
    func date(_ moment: LocalMoment) -> String
    func dateTime(_ moment: LocalMoment) -> String
    /// The name of a column of the timeline.
    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String
    func duration(_ milliseconds: Int64) -> String
}

extension ReportFormatWording {
    /// Digits in threes, as all three languages write them.
    func count(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3), digits[position - 1] != "-" { text += "," }
            text.append(digit)
        }
        return text
    }

    func bytes(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(Self.tenths(bytes, 1_000)) kB"
        case ..<1_000_000_000: "\(Self.tenths(bytes, 1_000_000)) MB"
        default: "\(Self.tenths(bytes, 1_000_000_000)) GB"
        }
    }

    func clock(_ moment: LocalMoment) -> String { "\(Self.two(moment.hour)):\(Self.two(moment.minute))" }

    /// Hours, minutes and seconds; at most two of them are worth telling.
    func parts(_ milliseconds: Int64) -> (hours: Int64, minutes: Int64, seconds: Int64) {
        let seconds = (milliseconds + 500) / 1000
        return (seconds / 3600, seconds % 3600 / 60, seconds % 60)
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func tenths(_ bytes: Int64, _ unit: Int64) -> String {
        let tenths = bytes * 10 / unit
        return "\(tenths / 10).\(tenths % 10)"
    }
}
