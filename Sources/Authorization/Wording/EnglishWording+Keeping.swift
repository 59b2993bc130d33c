extension EnglishWording {
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        let end =
            switch time {
            case .limited(let count, let unit): "for \(duration(count, unit))"
            case .untilWithdrawn: "until you take the permission back or erase it"
            }
        return "VoiceGate keeps \(kind.phrase) \(end), encrypted, on this computer."
    }

    var sentenceSeparator: String { " — " }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "year"
            case .months: "month"
            case .weeks: "week"
            case .days: "day"
            case .hours: "hour"
            case .minutes: "minute"
            case .seconds: "second"
            }
        return "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
