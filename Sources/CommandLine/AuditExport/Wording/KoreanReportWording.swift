struct KoreanReportWording: ReportWording {
    func date(_ moment: LocalMoment) -> String { "\(moment.year)년 \(moment.month)월 \(moment.day)일" }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment)) \(clock(moment))" }

    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment)
        case .day: date(moment)
        case .week: "\(date(moment))부터 한 주"
        case .month: "\(moment.year)년 \(moment.month)월"
        case .year: "\(moment.year)년"
        }
    }

    func duration(_ milliseconds: Int64) -> String {
        let (hours, minutes, seconds) = parts(milliseconds)
        if hours > 0 { return "\(count(Int(hours)))시간 \(minutes)분" }
        if minutes > 0 { return seconds > 0 && minutes < 10 ? "\(minutes)분 \(seconds)초" : "\(minutes)분" }
        return "\(seconds)초"
    }
}

extension KoreanReportWording {
    var title: String { "누가, 언제 들었는가" }
    var skip: String { "본문으로 건너뛰기" }
    var contents: String { "목차" }

    func name(of section: ReportSection) -> String {
        switch section {
        case .summary: "한눈에 보기"
        case .timeline: "들은 시간"
        case .answers: "질문과 대답"
        case .programs: "프로그램별"
        case .keeping: "보관과 삭제"
        case .sharing: "공유"
        case .questions: "확인할 점"
        case .proof: "증명된 것"
        case .appendix: "기록의 종류"
        }
    }

    func footer(_ log: String) -> String {
        "VoiceGate가 동의 기록 \(log)에서 만들었습니다. 이 페이지는 아무것도 불러오지 않고 아무것도 실행하지 않습니다."
    }

    var emptyLog: String { "해당하는 기록이 없습니다." }
    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) ~ \(last)" }
    var coversName: String { "범위" }
    var madeName: String { "만든 때" }
    var timesName: String { "시간대" }
    var everything: String { "모든 기록" }
    var onlyProgram: String { "다음 프로그램만:" }
    var onlySubject: String { "다음 사람만:" }
    func since(_ moment: String) -> String { "\(moment)부터" }
    func until(_ moment: String) -> String { "\(moment) 이전" }
    var unknownProgram: String { "이름이 삭제된 프로그램" }

    var timesListened: String { "들은 횟수" }
    var listeningInAll: String { "들은 시간" }
    var programsSeen: String { "프로그램" }
    var yesesAndNoes: String { "허용 / 거부" }
    var itemsKept: String { "보관 중" }
    var openQuestions: String { "확인할 점" }
    var nothingIsKeptNow: String { "지금 보관 중인 것은 없습니다." }
    func isKeptNow(_ count: Int) -> String { "지금 \(self.count(count))건을 보관하고 있습니다." }
    var noQuestions: String { "확인할 점이 없습니다." }
    func someQuestions(_ count: Int) -> String { "확인할 점이 \(self.count(count))건 있습니다." }

    func leftOut(_ count: Int, _ file: String) -> String {
        "이 밖에 \(self.count(count))건이 더 있습니다. 전체는 번들의 \(file) 파일에 있습니다."
    }
    func morePrograms(_ count: Int) -> String {
        "이 밖에 프로그램 \(self.count(count))개가 더 있습니다. 전체는 번들의 accesses.csv 파일에 있습니다."
    }

    var whenColumn: String { "언제" }
    var programColumn: String { "프로그램" }
    var timesColumn: String { "횟수" }
    var durationColumn: String { "길이" }
    var deviceColumn: String { "입력" }
    var endedColumn: String { "끝난 이유" }
    var sinceColumn: String { "보관 시작" }
    var kindColumn: String { "내용" }
    var sizeColumn: String { "크기" }
    var untilColumn: String { "기한" }
    var whatColumn: String { "내용" }
    var whyColumn: String { "이유" }
    var declaredColumn: String { "프로그램의 설명" }
    var enforcedColumn: String { "VoiceGate의 확인" }
    var handedOnColumn: String { "넘긴 기록" }
    var kindNameColumn: String { "기록 속 이름" }
    var numberColumn: String { "건수" }
}
