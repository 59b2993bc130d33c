extension KoreanWording {
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        return
            "VoiceGate가 \(object(kind)) 암호화하여 이 컴퓨터에 \(retention(time))\(time.milliseconds == nil ? "" : " 동안") 보관합니다."
    }

    func retention(_ time: KeepingTime) -> String {
        switch time {
        case .limited(let count, let unit): duration(count, unit)
        case .untilWithdrawn: "허용을 취소하거나 삭제할 때까지"
        }
    }

    var sentenceSeparator: String { " — " }

    /// The kind as the object of a sentence.
    private func object(_ kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "마이크 소리를"
        case .transcript: "인식된 텍스트를"
        case .recording: "녹음을"
        case .voiceProfile: "목소리 특징 데이터를"
        }
    }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "년"
            case .months: "개월"
            case .weeks: "주"
            case .days: "일"
            case .hours: "시간"
            case .minutes: "분"
            case .seconds: "초"
            }
        return "\(count)\(word)"
    }
}
