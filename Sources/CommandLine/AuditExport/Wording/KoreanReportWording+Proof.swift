extension KoreanReportWording {
    var fits: String { "기록이 검증되었습니다." }
    var doesNotFit: String { "기록이 검증되지 않습니다." }
    var notChecked: String { "기록을 검증하지 않았습니다." }
    func allFit(_ records: Int) -> String { "기록이 검증되었습니다. \(count(records))건이 모두 들어맞습니다." }

    var provenTitle: String { "증명된 것" }
    var notProvenTitle: String { "증명되지 않은 것" }
    var nothingProven: String { "없습니다. 이 페이지의 모든 내용은 주장으로만 보십시오." }
    var fitTogether: String {
        "어느 기록도 바뀌거나, 빠지거나, 더해지거나, 옮겨지지 않았습니다. 그러려면 그 뒤의 기록을 모두 새로 써야 합니다."
    }
    var coveredWhole: String { "체크포인트까지의 모든 기록입니다. 루트는 기록 자체에서 다시 계산했습니다." }
    var coveredByProofs: String { "여기 있는 각 기록은 이 기록부에 속합니다. 각각의 증명이 체크포인트의 루트로 이어집니다." }
    var notCovered: String {
        "이 페이지만으로는 여기 있는 수를 증명할 수 없습니다. 번들로는 할 수 있습니다: voicegate audit export --format bundle"
    }
    var signed: String {
        "체크포인트는 기록의 키로 서명되어 있습니다. 이전 체크포인트를 다른 곳에 가지고 있으면, 그 앞의 기록은 이 컴퓨터의 관리자도 "
            + "바꾸지 않았음을 보일 수 있습니다."
    }
    func erasedKeepPlace(_ records: Int) -> String {
        "기록 \(count(records))건의 내용을 삭제했고, 삭제마다 기록이 있습니다. 그 기록들은 제자리에 남아 있습니다."
    }
    var notProven: [String] {
        [
            "다른 곳에 있는 마지막 체크포인트 뒤의 일. 이 컴퓨터를 지배하는 사람은 그 부분을 새로 썼을 수 있습니다.",
            "프로그램이 스스로에 대해 말하는 것. 이름, 목적, 보관 기간, 공유하는 곳이 그렇습니다.",
            "VoiceGate를 거치지 않은 일. 소리 장치를 직접 쓸 수 있는 프로그램은 이 기록에 나타나지 않습니다.",
            "화면 앞의 사람과 목소리의 주인이 같은 사람이라는 것.",
        ]
    }
    var neverPublished: String {
        "이 기록에 따르면 체크포인트가 아직 이 컴퓨터 밖으로 나간 적이 없습니다: voicegate audit checkpoint --publish"
    }
    func published(_ records: Int, _ moment: String) -> String {
        "마지막으로 밖으로 나간 체크포인트는 \(moment)의 것으로, 처음 \(count(records))건의 기록을 포함합니다. 보낸 곳:"
    }
    var checkYourself: String {
        "VoiceGate 없이 확인하려면: 번들에 기록, 체크포인트, 증명, 키가 있고, 방법은 README.txt 파일에 있습니다."
    }

    var recordsName: String { "기록 수" }
    var rootName: String { "루트" }
    var keyName: String { "키" }
    var logName: String { "기록부" }

    func appendixIntro(_ records: Int) -> String { "이 보고서는 기록 \(count(records))건으로 만들었습니다." }

    func kind(_ kind: String) -> String? { Self.kinds[kind] }

    private static let kinds: [String: String] = [
        "log.genesis": "기록의 시작", "notice.shown": "질문 표시", "notice.changed": "설명 변경", "decision.asked": "질문",
        "decision.granted": "허용", "decision.renewed": "허용 갱신", "decision.denied": "거부",
        "decision.deferred": "나중으로 미룸", "decision.withdrawn": "대답 철회", "decision.used": "허용 사용",
        "decision.expired": "허용 만료", "decision.upgradeRequested": "항상 허용 요청",
        "identity.carriedOver": "업데이트된 프로그램의 허용 유지", "restricted.by_policy": "정책으로 금지",
        "revoked.by_admin": "관리자가 철회", "access.blocked": "접근 거부", "session.started": "듣기 시작",
        "session.stopped": "듣기 끝", "recognizer.failed": "인식 실패", "data.retained": "보관", "data.notKept": "보관하지 못함",
        "data.erased": "삭제",
        "data.shared": "다른 곳에 넘김", "request.received": "데이터에 대한 청구 접수",
        "request.answered": "데이터에 대한 청구에 답변", "export.made": "내보내기", "policy.changed": "정책 변경",
        "key.rotated": "기록 키 변경", "checkpoint.published": "체크포인트 공개", "recovery": "기록 복구",
        "clock.jump": "시계 변화", "service.muted": "음소거", "service.unmuted": "음소거 해제",
        "monitor.registered": "모니터 등록", "monitor.removed": "모니터 제거", "monitor.paused": "모니터 일시 중지",
        "monitor.resumed": "모니터 재개", "monitor.triggered": "모니터 반응", "monitor.failed": "모니터 실패",
        "monitor.exited": "모니터가 시작한 것의 종료",
    ]
}
