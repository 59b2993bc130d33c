extension EnglishWording {
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        return
            "VoiceGate keeps \(kind.phrase) \(time.milliseconds == nil ? "" : "for ")\(retention(time)), encrypted, on this computer."
    }

    func retention(_ time: KeepingTime) -> String {
        switch time {
        case .limited(let count, let unit): duration(count, unit)
        case .untilWithdrawn: "until you take the permission back or erase it"
        }
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
