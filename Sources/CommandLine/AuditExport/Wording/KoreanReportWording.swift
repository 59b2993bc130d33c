import Authorization
import Consent

struct KoreanReportWording: ReportWording {
    func callAsFunction(_ text: ReportText) -> String {
        switch text {
        case .title: "누가, 언제 들었는가"
        case .skip: "본문으로 건너뛰기"
        case .contents: "목차"
        case .emptyLog: "해당하는 기록이 없습니다."
        case .coversName: "범위"
        case .madeName: "만든 때"
        case .timesName: "시간대"
        case .everything: "모든 기록"
        case .onlyProgram: "다음 프로그램만:"
        case .onlySubject: "다음 사람만:"
        case .unknownProgram: "이름이 삭제된 프로그램"
        case .timesListened: "들은 횟수"
        case .listened: "들은 시간"
        case .filesTranscribed: "받아쓴 파일"
        case .transcribed: "받아쓴 소리의 길이"
        case .programsSeen: "프로그램"
        case .grantsAndDenials: "허용 / 거부"
        case .itemsKept: "보관 중"
        case .openQuestions: "확인할 점"
        case .nothingIsKeptNow: "지금 보관 중인 것은 없습니다."
        case .noQuestions: "확인할 점이 없습니다."
        case .whenColumn: "언제"
        case .programColumn: "프로그램"
        case .notHeardColumn: "듣지 않은 시간"
        case .allowedByColumn: "허용 근거"
        case .deviceColumn: "입력"
        case .engineColumn: "인식 엔진"
        case .endedColumn: "끝난 이유"
        case .sinceColumn: "보관 시작"
        case .sizeColumn: "크기"
        case .untilColumn: "기한"
        case .whatColumn: "내용"
        case .whyColumn: "이유"
        case .declaredColumn: "프로그램의 설명"
        case .enforcedColumn: "VoiceGate의 확인"
        case .handedOnColumn: "넘긴 기록"
        case .kindNameColumn: "기록 속 이름"
        case .numberColumn: "건수"
        case .nobodyAsked: "질문도 결정도 없었습니다."
        case .answersIntro: "모든 대답을 최근 것부터 보여 줍니다. 대답할 때 화면에 있던 글도 그대로 남아 있습니다."
        case .erasedValue: "삭제됨"
        case .fieldsErased: "내용 삭제됨"
        case .carriedOver: "프로그램이 업데이트되었고 허용은 유지됨"
        case .muted: "모두 음소거했습니다."
        case .unmuted: "음소거를 해제했습니다."
        case .whatWasShown: "화면에 표시된 내용"
        case .noPrograms: "무엇을 요청한 프로그램이 없습니다."
        case .standingTitle: "지금의 허용"
        case .fourItems: "데이터에 대한 설명"
        case .askNextTime: "다음번에 묻기"
        case .alwaysToConfirm: "‘항상’은 확인한 뒤에 적용됩니다. voicegate agent가 실행 중일 때 질문이 나타납니다"
        case .alwaysToReview: "계속할지 묻는 질문이 voicegate agent가 실행 중일 때 나타납니다"
        case .neverAnswered: "이 프로그램에 대한 대답은 이 보고서에 없습니다."
        case .noNotice: "설명 기록 없음"
        case .nobodyListened: "들은 프로그램이 없습니다."
        case .allPrograms: "모든 프로그램 합계"
        case .sameAsTable: "같은 내용을 표로 보기"
        case .usageCaption: "각 프로그램이 들은 횟수와 시간, 받아쓴 파일"
        case .latestSessions: "최근 세션"
        case .soundFile: "소리 파일"
        case .neverListened: "한 번도 듣지 않았습니다."
        case .nothingWasKept: "녹음, 텍스트, 음성 프로필 중 아무것도 보관하지 않았습니다."
        case .untilTakenBack: "허용을 철회할 때까지"
        case .keptNowTitle: "지금 보관 중인 것"
        case .erasedTitle: "삭제한 것"
        case .nothingToShare: "듣거나 받아쓴 프로그램이 없어 공유할 것도 없었습니다."
        case .sharingIntro:
            "프로그램의 설명은 그 프로그램 자신의 말입니다. ‘네트워크 없음’은 다릅니다. 프로그램에 네트워크가 없어 아무것도 보낼 수 없었음을 VoiceGate가 직접 확인했습니다."
        case .notEnforced: "확인 안 함"
        case .handedOnNothing: "기록 없음"
        case .questionsIntro: "여기 있는 것이 꼭 잘못은 아닙니다. 그러나 누군가는 설명할 수 있어야 합니다."
        case .fits: "기록이 검증되었습니다."
        case .doesNotFit: "기록이 검증되지 않습니다."
        case .notChecked: "기록을 검증하지 않았습니다."
        case .provenTitle: "증명된 것"
        case .notProvenTitle: "증명되지 않은 것"
        case .nothingProven: "없습니다. 이 페이지의 모든 내용은 주장으로만 보십시오."
        case .fitTogether: "어느 기록도 바뀌거나, 빠지거나, 더해지거나, 옮겨지지 않았습니다. 그러려면 그 뒤의 기록을 모두 새로 써야 합니다."
        case .coveredWhole: "체크포인트까지의 모든 기록입니다. 루트는 기록 자체에서 다시 계산했습니다."
        case .coveredByProofs: "여기 있는 각 기록은 이 기록부에 속합니다. 각각의 증명이 체크포인트의 루트로 이어집니다."
        case .notCovered: "이 페이지만으로는 여기 있는 수를 증명할 수 없습니다. 번들로는 할 수 있습니다: voicegate audit export --output FOLDER"
        case .signed: "체크포인트는 기록의 키로 서명되어 있습니다. 이전 체크포인트를 다른 곳에 가지고 있으면, 그 앞의 기록은 이 컴퓨터의 관리자도 바꾸지 않았음을 보일 수 있습니다."
        case .neverPublished: "이 기록에 따르면 체크포인트가 아직 이 컴퓨터 밖으로 나간 적이 없습니다: voicegate audit checkpoint --publish FILE"
        case .checkYourself: "VoiceGate 없이 확인하려면: 번들에 기록, 체크포인트, 증명, 키가 있고, 방법은 README.txt 파일에 있습니다."
        case .rootName: "루트"
        case .keyName: "키"
        case .logName: "기록부"
        }
    }

    func date(_ date: CivilDate) -> String { "\(date.year)년 \(date.month)월 \(date.day)일" }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment.date)) \(clock(moment))" }

    func week(_ first: CivilDate) -> String { "\(date(first))부터 한 주" }
    func month(_ date: CivilDate) -> String { "\(date.year)년 \(date.month)월" }
    func year(_ date: CivilDate) -> String { "\(date.year)년" }

    let units = DurationUnits(hour: "시간", minute: "분", second: "초", separator: " ")

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

    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) ~ \(last)" }
    func since(_ moment: String) -> String { "\(moment)부터" }
    func until(_ moment: String) -> String { "\(moment) 이전" }

    func isKeptNow(_ count: Int) -> String { "지금 \(self.count(count))건을 보관하고 있습니다." }
    func someQuestions(_ count: Int) -> String { "확인할 점이 \(self.count(count))건 있습니다." }

    func leftOut(_ count: Int, _ file: String) -> String {
        "이 밖에 \(self.count(count))건이 더 있습니다. 전체는 번들의 \(file) 파일에 있습니다."
    }
    func morePrograms(_ count: Int) -> String {
        "이 밖에 프로그램 \(self.count(count))개가 더 있습니다. 전체는 번들의 accesses.csv 파일에 있습니다."
    }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch (state, scope) {
        case (.requested, _): "질문함"
        case (.given, .once): "한 번만 허용"
        case (.given, .whileInUse): "사용 중에만 허용"
        case (.given, .always): "항상 허용"
        case (.given, nil): "허용"
        case (.renewed, _): "다시 허용"
        case (.refused, _): "허용 안 함"
        case (.deferred, _): "나중에"
        case (.withdrawn, _): "철회"
        case (.expired, _): "만료"
        case (.revoked, _): "관리자가 금지"
        }
    }

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

    let reasons = [
        "unused": "오랫동안 사용하지 않음",
        "clockSetBack": "시계가 뒤로 돌아가 기간을 알 수 없음",
        "tooMany": "매니페스트가 없는 프로그램에 대한 결정이 너무 많아 가장 오래된 것",
    ]

    let questions = [
        "identityChanged": "프로그램이 바뀌어 물었습니다.",
        "termsWidened": "허용한 것보다 많은 내용을 알려 물었습니다.",
        "upgradeToAlways": "항상 허용할지 물었습니다.",
        "review": "항상 허용을 계속할지 확인했습니다.",
        "temporaryFullFidelity": "이번 세션의 모든 말을 받을지 물었습니다.",
    ]

    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome) (\(date))" }
    func asShown(_ record: Int) -> String { "마지막으로 표시된 그대로입니다(기록 \(record))." }

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

    func listened(_ times: Int, _ duration: String) -> String { "듣기 \(count(times))회, \(duration)" }
    func transcribed(_ files: Int, _ duration: String) -> String { "파일 \(count(files))개 받아쓰기, \(duration)" }
    func stripDescription(_ use: String, _ most: String) -> String { "\(use). 가장 많은 때는 \(most)." }
    func bar(_ label: String, _ use: String) -> String { "\(label): \(use)" }

    let endings = [
        "ended": "프로그램이 끝냄",
        "silence": "무음",
        "cancelled": "취소",
        "revoked": "허용 철회",
        "restricted": "정책으로 금지",
        "muted": "음소거",
        "background": "백그라운드로 이동",
        "deviceLost": "입력 장치 끊김",
        "failed": "오류",
        "disconnected": "프로그램 끊김",
        "clientStalled": "프로그램 응답 없음",
        "serviceStalled": "서비스의 읽기 지연",
        "serviceStopped": "서비스 중지",
    ]

    func ground(_ ground: ListeningGround) -> String {
        switch ground {
        case .foreground: "전면에서 사용"
        case .backgroundMode: "선언된 백그라운드 모드"
        case .always: "‘항상’ 허용"
        case .phrase: "어구 모니터"
        case .sound: "소리 모니터"
        }
    }

    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "\(use) (\(first))." : "\(use). 처음 \(first), 마지막 \(last)."
    }
    func refusedFor(_ reasons: String) -> String { "거부: \(reasons)." }

    let refusals = [
        "notDetermined": "아직 대답이 없음",
        "denied": "허용되지 않음",
        "restricted": "정책으로 금지",
        "identityChanged": "프로그램이 바뀜",
        "termsWidened": "허용한 것보다 많은 내용을 알림",
        "missingManifest": "매니페스트가 없음",
        "missingUsageDescription": "이유 설명이 없음",
        "missingPurpose": "이유 설명이 없음",
        "missingBackgroundMode": "백그라운드에서 하는 일의 선언이 없음",
        "noAnswer": "대답이 없었음",
        "notInUse": "백그라운드에 있었음",
        "muted": "모두 음소거 중",
        "reducedFidelity": "정해진 문구만 허용",
        "untrusted": "신뢰할 수 없음",
        "tooManyRequests": "요청이 너무 많음",
        "recordingFailed": "기록을 쓸 수 없음",
    ]

    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "보관 \(count(kept))건, 그 뒤 삭제 \(count(erased))건, 지금 보관 \(count(now))건입니다."
    }
    let erasureReasons = [
        "retentionEnded": "보관 기간이 끝남",
        "withdrawn": "허용 철회",
        "requested": "본인의 요청",
        "incomplete": "쓰는 중에 서비스가 끝남",
    ]
    func recordsErased(_ count: Int) -> String { "기록 \(self.count(count))건의 항목" }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        kinds.isEmpty ? "\(self.count(count))건" : "\(kinds) \(self.count(count))건"
    }

    let sharings = [
        "verified": "네트워크 없음",
        "declared": "공유하지 않는다고 설명, 확인 안 됨",
        "shared": "공유한다고 설명",
        "undeclared": "설명 없음",
    ]
    func sharing(_ way: String, _ count: Int) -> String { "\(way) (\(self.count(count))회)" }
    func handedOn(_ count: Int) -> String { "\(self.count(count))회, 받은 곳:" }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "허용 없이 들은 세션"
        case .withoutEnd: "끝이 없는 세션"
        case .keptTooLong: "기한을 넘긴 보관"
        case .unusedGrant: "쓰이지 않은 허용"
        case .longUnasked: "허용한 지 오래된 사용"
        case .unanswered: "대답 없는 질문"
        case .clock: "뒤로 돌아간 시계"
        case .erased: "삭제된 기록"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "세션이 시작되었지만 그 전에 허용한 기록이 없습니다. 결코 있어서는 안 되는 일입니다."
        case .withoutEnd: "세션이 시작되었지만 끝난 기록이 없습니다. 아직 진행 중이거나 컴퓨터가 꺼졌을 수 있습니다. 들은 시간은 알 수 없어 세지 않았습니다."
        case .keptTooLong: "보관 기한이 지났지만 삭제한 기록이 없습니다."
        case .unusedGrant: "허용했지만 그 허용으로 시작된 세션이 없습니다. 이 허용이 아직 필요합니까?"
        case .longUnasked: "마지막 사용은 마지막 질문에서 30일이 넘게 지난 뒤였습니다. 본인이 아직 알고 있을까요?"
        case .unanswered: "질문이 표시되었지만 대답한 기록이 없습니다. 이것으로 허용된 것은 없습니다."
        case .clock: "앞 기록보다 이른 시각의 기록이 있습니다. 그 무렵의 시각은 틀릴 수 있지만 순서는 확실합니다."
        case .erased: "이 기록들의 자리와 증명은 남아 있지만, 내용은 없습니다."
        }
    }

    func record(_ index: Int) -> String { "기록 \(index)" }
    func daysAfterGrant(_ days: Int) -> String { "허용한 지 \(count(days))일 뒤" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds))초 뒤로" }

    func allFit(_ records: Int) -> String { "기록이 검증되었습니다. \(count(records))건이 모두 들어맞습니다." }

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
    func published(_ records: Int, _ moment: String) -> String {
        "마지막으로 밖으로 나간 체크포인트는 \(moment)의 것으로, 처음 \(count(records))건의 기록을 포함합니다. 보낸 곳:"
    }

    var recordsName: String { "기록 수" }
    func appendixIntro(_ records: Int) -> String { "이 보고서는 기록 \(count(records))건으로 만들었습니다." }

    let kinds = [
        "log.genesis": "기록의 시작", "notice.shown": "질문 표시", "notice.changed": "설명 변경", "decision.asked": "질문",
        "decision.granted": "허용", "decision.renewed": "허용 갱신", "decision.denied": "거부",
        "decision.deferred": "나중으로 미룸", "decision.withdrawn": "대답 철회", "decision.used": "허용 사용",
        "decision.expired": "허용 만료", "decision.upgradeRequested": "항상 허용 요청",
        "identity.carriedOver": "업데이트된 프로그램의 허용 유지", "restricted.by_policy": "정책으로 금지",
        "revoked.by_admin": "관리자가 철회", "access.blocked": "접근 거부", "access.counted": "거부 횟수",
        "session.started": "듣기 시작",
        "session.stopped": "듣기 끝", "recognizer.failed": "인식 실패", "engine.changed": "인식 엔진 변경",
        "collector.changed": "기록 공유 대상 변경",
        "data.retained": "보관",
        "data.notKept": "보관하지 못함",
        "data.erased": "삭제",
        "data.shared": "다른 곳에 넘김", "request.received": "데이터에 대한 청구 접수",
        "request.answered": "데이터에 대한 청구에 답변", "export.made": "내보내기", "policy.changed": "정책 변경",
        "key.rotated": "기록 키 변경", "checkpoint.published": "체크포인트 공개", "recovery": "기록 복구",
        "clock.jump": "시계 변화", "service.muted": "음소거", "service.unmuted": "음소거 해제",
        "monitor.registered": "모니터 등록", "monitor.removed": "모니터 제거", "monitor.paused": "모니터 일시 중지",
        "monitor.resumed": "모니터 재개", "monitor.triggered": "모니터 반응", "monitor.failed": "모니터 실패",
        "monitor.started": "모니터에 의한 프로그램 시작",
        "monitor.exited": "모니터가 시작한 것의 종료",
    ]

    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate: 누가, 언제, 누구의 허용으로 들었고, 그 뒤 어떻게 되었는가
        ===================================================================

        \(madeAt)에 동의 기록 \(log)에서 만들었습니다.
        사람에 관한 기록입니다. 편지처럼 조심해서 보관하십시오.

        읽으려면 report.html 파일을 브라우저로 여십시오. 아무것도 불러오지 않고 아무것도 실행하지 않습니다.

        report.html       사람을 위한 보고서
        accesses.csv      모든 세션과 거부된 접근
        decisions.csv     모든 질문, 대답, 철회
        consent.jsonld    기계를 위한 같은 내용, W3C Data Privacy Vocabulary 2.3
        records.jsonl     기록 자체(leaf, disclosures)
        notices/          표시된 질문, 이름은 글의 SHA-256
        scope.json        내보내기의 범위
        checkpoint        기록의 수와 루트, 서명됨
        log.vkey          기록의 키, 마지막 줄이 최신
        \(whole
            ? ""
            : """
            proofs/           각 기록이 이 기록부에 있다는 증명
            consistency/      이 기록부가 이전 체크포인트에서 이어진다는 증명(있는 경우)

            """)\
        SHA256SUMS        모든 파일의 SHA-256, SHA256SUMS.note 파일은 그 서명

        확인하려면
        ----------

        VoiceGate로 확인하려면 어느 컴퓨터에서나 voicegate audit verify 폴더. VoiceGate 없이 확인하려면:

        1. 파일: sha256sum --check SHA256SUMS
        2. 서명: checkpoint 및 SHA256SUMS.note 파일은 signed note입니다(https://c2sp.org/signed-note).
           log.vkey 파일의 마지막 줄로 확인합니다.
        3. 기록: \(whole
            ? "leaf를 순서대로 RFC 6962에 따라 해시하면 checkpoint 파일의 루트가 됩니다."
            : "proofs/의 각 파일이 leaf에서 checkpoint 파일의 루트로 이어집니다(https://c2sp.org/tlog-proof).")
        4. 항목: 각 disclosure의 SHA-256(base64url)이 leaf의 _sd에 있습니다.

        키는 다른 방법으로 얻은 것과 비교하십시오. 이전 번들, 공개된 체크포인트, 또는 그 컴퓨터에서
        voicegate audit checkpoint 명령으로 얻을 수 있습니다. 데이터와 함께 온 키는 둘이 서로 맞는다는 것만 증명합니다.

        증명되지 않는 것: 다른 곳에 있는 마지막 체크포인트 뒤의 일, 프로그램이 스스로에 대해 말하는 것,
        VoiceGate를 거치지 않은 일.

        """
    }
}
