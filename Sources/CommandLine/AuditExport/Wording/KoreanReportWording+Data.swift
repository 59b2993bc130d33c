extension KoreanReportWording {
    var nothingWasKept: String { "녹음, 텍스트, 음성 프로필 중 아무것도 보관하지 않았습니다." }
    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "보관 \(count(kept))건, 그 뒤 삭제 \(count(erased))건, 지금 보관 \(count(now))건입니다."
    }
    var untilTakenBack: String { "허용을 철회할 때까지" }
    var keptNowTitle: String { "지금 보관 중인 것" }
    var erasedTitle: String { "삭제한 것" }
    func erasureReason(_ reason: String) -> String {
        switch reason {
        case "retentionEnded": "보관 기간이 끝남"
        case "withdrawn": "허용 철회"
        case "requested": "본인의 요청"
        case "incomplete": "쓰는 중에 서비스가 끝남"
        default: reason
        }
    }
    func recordsErased(_ count: Int) -> String { "기록 \(self.count(count))건의 항목" }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        kinds.isEmpty ? "\(self.count(count))건" : "\(kinds) \(self.count(count))건"
    }

    var nothingToShare: String { "들은 프로그램이 없어 공유할 것도 없었습니다." }
    var sharingIntro: String {
        "프로그램의 설명은 그 프로그램 자신의 말입니다. ‘네트워크 없음’은 다릅니다. 프로그램에 네트워크가 없어 아무것도 보낼 수 "
            + "없었음을 VoiceGate가 직접 확인했습니다."
    }
    func sharing(_ word: String, _ count: Int) -> String {
        let text =
            switch word {
            case "verified": "네트워크 없음"
            case "declared": "공유하지 않는다고 설명, 확인 안 됨"
            case "shared": "공유한다고 설명"
            case "undeclared": "설명 없음"
            default: word
            }
        return "\(text) (\(self.count(count))회)"
    }
    var notEnforced: String { "확인 안 함" }
    var handedOnNothing: String { "기록 없음" }
    func handedOn(_ count: Int) -> String { "\(self.count(count))회, 받은 곳:" }

    var questionsIntro: String { "여기 있는 것이 꼭 잘못은 아닙니다. 그러나 누군가는 설명할 수 있어야 합니다." }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "허용 없이 들은 세션"
        case .withoutEnd: "끝이 없는 세션"
        case .keptTooLong: "기한을 넘긴 보관"
        case .unusedYes: "쓰이지 않은 허용"
        case .longUnasked: "허용한 지 오래된 사용"
        case .unanswered: "대답 없는 질문"
        case .clock: "뒤로 돌아간 시계"
        case .erased: "삭제된 기록"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "세션이 시작되었지만 그 전에 허용한 기록이 없습니다. 결코 있어서는 안 되는 일입니다."
        case .withoutEnd: "세션이 시작되었지만 끝난 기록이 없습니다. 아직 진행 중이거나 컴퓨터가 꺼졌을 수 있습니다."
        case .keptTooLong: "보관 기한이 지났지만 삭제한 기록이 없습니다."
        case .unusedYes: "허용했지만 그 허용으로 시작된 세션이 없습니다. 이 허용이 아직 필요합니까?"
        case .longUnasked: "마지막 사용은 마지막 질문에서 30일이 넘게 지난 뒤였습니다. 본인이 아직 알고 있을까요?"
        case .unanswered: "질문이 표시되었지만 대답한 기록이 없습니다. 이것으로 허용된 것은 없습니다."
        case .clock: "앞 기록보다 이른 시각의 기록이 있습니다. 그 무렵의 시각은 틀릴 수 있지만 순서는 확실합니다."
        case .erased: "이 기록들의 자리와 증명은 남아 있지만, 내용은 없습니다."
        }
    }

    func record(_ index: Int) -> String { "기록 \(index)" }
    func daysAfterYes(_ days: Int) -> String { "허용한 지 \(count(days))일 뒤" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds))초 뒤로" }
}
