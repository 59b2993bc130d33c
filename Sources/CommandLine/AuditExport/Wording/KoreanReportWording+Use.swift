extension KoreanReportWording {
    var nobodyListened: String { "들은 프로그램이 없습니다." }
    var allPrograms: String { "모든 프로그램 합계" }

    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String {
        let column =
            switch unit {
            case .hour: "한 시간"
            case .day: "하루"
            case .week: "한 주"
            case .month: "한 달"
            case .year: "한 해"
            }
        return "막대 하나가 \(column)이며, 높을수록 오래 들었습니다. 가장 높은 막대는 \(tallest)입니다."
    }

    var sameAsTable: String { "같은 내용을 표로 보기" }
    var usageCaption: String { "각 프로그램이 들은 횟수와 시간" }
    var latestSessions: String { "최근 세션" }
    func use(_ times: Int, _ duration: String) -> String { "\(count(times))회, \(duration)" }
    func stripDescription(_ use: String, _ most: String) -> String { "들은 것은 \(use). 가장 많은 때는 \(most)." }
    func bar(_ label: String, _ use: String) -> String { "\(label): \(use)" }
    var soundFile: String { "소리 파일" }

    func ending(_ reason: String) -> String {
        switch reason {
        case "ended": "프로그램이 끝냄"
        case "silence": "무음"
        case "cancelled": "취소"
        case "revoked": "허용 철회"
        case "restricted": "정책으로 금지"
        case "muted": "음소거"
        case "background": "백그라운드로 이동"
        case "deviceLost": "입력 장치 끊김"
        case "failed": "오류"
        case "disconnected": "프로그램 끊김"
        case "serviceStopped": "서비스 중지"
        default: reason
        }
    }

    var neverListened: String { "한 번도 듣지 않았습니다." }
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "\(use) (\(first))." : "\(use). 처음 \(first), 마지막 \(last)."
    }
    func filesRead(_ count: Int) -> String { "그중 \(self.count(count))회는 소리 파일입니다." }
    func refusedFor(_ reasons: String) -> String { "거부: \(reasons)." }

    func refusal(_ code: String) -> String {
        switch code {
        case "notDetermined": "아직 대답이 없음"
        case "denied": "허용되지 않음"
        case "restricted": "정책으로 금지"
        case "identityChanged": "프로그램이 바뀜"
        case "missingUsageDescription", "missingPurpose": "이유 설명이 없음"
        case "noAnswer": "대답이 없었음"
        case "notInUse": "백그라운드에 있었음"
        case "muted": "모두 음소거 중"
        case "reducedFidelity": "정해진 문구만 허용"
        case "untrusted": "신뢰할 수 없음"
        case "tooManyRequests": "요청이 너무 많음"
        case "recordingFailed": "기록을 쓸 수 없음"
        default: code
        }
    }
}
