extension JapaneseWording {
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        return "VoiceGateは\(name(of: kind))を暗号化し、このコンピューターに\(retention(time))保存します。"
    }

    func retention(_ time: KeepingTime) -> String {
        switch time {
        case .limited(let count, let unit): duration(count, unit)
        case .untilWithdrawn: "許可を取り消すか消去するまで"
        }
    }

    var sentenceSeparator: String { " — " }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "年間"
            case .months: "か月間"
            case .weeks: "週間"
            case .days: "日間"
            case .hours: "時間"
            case .minutes: "分間"
            case .seconds: "秒間"
            }
        return "\(count)\(word)"
    }
}
