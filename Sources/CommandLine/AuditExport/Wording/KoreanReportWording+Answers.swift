import Authorization

extension KoreanReportWording {
    var nobodyAsked: String { "질문도 결정도 없었습니다." }
    var answersIntro: String { "모든 대답을 최근 것부터 보여 줍니다. 대답할 때 화면에 있던 글도 그대로 남아 있습니다." }
    var erasedValue: String { "삭제됨" }
    var fieldsErased: String { "내용 삭제됨" }
    func about(_ program: Markup, _ resource: String) -> Markup { "\(program) · \(resource)" }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch state {
        case .requested: "질문함"
        case .given:
            switch scope {
            case .once: "한 번만 허용"
            case .whileInUse: "사용 중에만 허용"
            case .always: "항상 허용"
            case nil: "허용"
            }
        case .renewed: "다시 허용"
        case .refused: "허용 안 함"
        case .deferred: "나중에"
        case .withdrawn: "철회"
        case .expired: "만료"
        case .revoked: "관리자가 금지"
        }
    }

    var carriedOver: String { "프로그램이 업데이트되었고 허용은 유지됨" }
    var muted: String { "모두 음소거했습니다." }
    var unmuted: String { "음소거를 해제했습니다." }

    func way(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "터미널에서 대답"
        case .agent: "에이전트의 터미널에서 대답"
        case .desktop: "데스크톱에서 대답"
        case .scriptedAgent: "스크립트가 대답"
        case .settings: "설정에서 변경"
        case .administrator: "관리자가 설정"
        }
    }

    func reason(_ reason: String) -> String {
        switch reason {
        case "unused": "오랫동안 사용하지 않음"
        case "clockSetBack": "시계가 뒤로 돌아가 기간을 알 수 없음"
        default: reason
        }
    }

    func question(_ word: String) -> String? {
        switch word {
        case "identityChanged": "프로그램이 바뀌어 물었습니다."
        case "upgradeToAlways": "항상 허용할지 물었습니다."
        case "review": "항상 허용을 계속할지 확인했습니다."
        case "temporaryFullFidelity": "이번 세션의 모든 말을 받을지 물었습니다."
        default: nil
        }
    }

    var whatWasShown: String { "화면에 표시된 내용" }

    var noPrograms: String { "무엇을 요청한 프로그램이 없습니다." }
    var standingTitle: String { "지금의 허용" }
    var fourItems: String { "데이터에 대한 설명" }
    var neverAnswered: String { "이 프로그램에 대한 대답은 이 보고서에 없습니다." }
    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome) (\(date))" }
    var noNotice: String { "설명 기록 없음" }
    func asShown(_ record: Int) -> String { "마지막으로 표시된 그대로입니다(기록 \(record))." }
}
