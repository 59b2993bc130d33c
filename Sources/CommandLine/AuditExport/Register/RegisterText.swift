import Authorization

/// The texts of the register that the report has not.
enum RegisterText {
    case title, subtitle, intro, notDeclared, users(Int), noTransfer, transferUnknown, securityText, noConsent
    /// A resource, a day and a record.
    case consent(String, String, Int)
    case column(RegisterColumn)

    func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        case .korean: korean
        }
    }

    private var english: String {
        switch self {
        case .title: "Record of processing activities"
        case .subtitle: "GDPR, Art. 30(1), from what happened"
        case .intro:
            "One entry for each program that had a permission or used one. What a program declares is its own claim; uses, refusals and what is kept are counted from the consent log."
        case .notDeclared: "not declared"
        case .users(let count): count == 1 ? "one user of this machine" : "\(count) users of this machine"
        case .noTransfer: "none: in each session it had no network (verified)"
        case .transferUnknown: "not known to VoiceGate; see the recipients"
        case .securityText:
            "Recognition on this machine in sandboxed processes; consent asked before each new use; withdrawal takes effect at once; tamper-evident log; what is kept is encrypted"
        case .noConsent: "none now"
        case .consent(let resource, let day, let record): "consent for \(resource), \(day), record \(record)"
        case .column(let column):
            switch column {
            case .activity: "Activity"
            case .client: "Program"
            case .controller: "Controller and contact"
            case .purposes: "Purposes"
            case .subjects: "Data subjects"
            case .data: "Personal data"
            case .recipients: "Recipients"
            case .transfers: "Transfers to third countries"
            case .retention: "Time limits for erasure"
            case .security: "Security measures"
            case .basis: "Legal basis"
            case .firstUse: "First use"
            case .lastUse: "Last use"
            case .timesListened: Language.english.reportWording(.timesListened)
            case .listened: Language.english.reportWording(.listened)
            case .filesTranscribed: Language.english.reportWording(.filesTranscribed)
            case .transcribed: Language.english.reportWording(.transcribed)
            case .keptNow: "Items kept now"
            case .refused: "Refused accesses"
            }
        }
    }

    private var japanese: String {
        switch self {
        case .title: "処理活動の記録"
        case .subtitle: "GDPR第30条第1項、実際の記録から作成"
        case .intro: "許可を得た、または使ったプログラムごとに1項目です。プログラムの説明はそのプログラム自身の言葉です。使用、拒否、保存は同意の記録から数えています。"
        case .notDeclared: "説明なし"
        case .users(let count): "このコンピュータの利用者\(count)人"
        case .noTransfer: "なし：どのセッションでもネットワークがありませんでした（確認済み）"
        case .transferUnknown: "VoiceGateには分かりません。受領者を参照"
        case .securityText: "このコンピュータの隔離されたプロセスで認識。新しい使用の前に必ず同意を確認。取り消しは即時に有効。改ざんが分かる記録。保存データは暗号化"
        case .noConsent: "現在なし"
        case .consent(let resource, let day, let record): "\(resource)への同意、\(day)、記録 \(record)"
        case .column(let column):
            switch column {
            case .activity: "活動"
            case .client: "プログラム"
            case .controller: "管理者と連絡先"
            case .purposes: "目的"
            case .subjects: "データ主体"
            case .data: "個人データ"
            case .recipients: "受領者"
            case .transfers: "第三国への移転"
            case .retention: "消去の期限"
            case .security: "安全管理措置"
            case .basis: "法的根拠"
            case .firstUse: "最初の使用"
            case .lastUse: "最後の使用"
            case .timesListened: Language.japanese.reportWording(.timesListened)
            case .listened: Language.japanese.reportWording(.listened)
            case .filesTranscribed: Language.japanese.reportWording(.filesTranscribed)
            case .transcribed: Language.japanese.reportWording(.transcribed)
            case .keptNow: "現在の保存件数"
            case .refused: "拒否した回数"
            }
        }
    }

    private var korean: String {
        switch self {
        case .title: "처리 활동 기록"
        case .subtitle: "GDPR 제30조 제1항, 실제 기록에서 작성"
        case .intro: "권한을 받았거나 사용한 프로그램마다 한 항목입니다. 프로그램의 설명은 그 프로그램 자신의 말입니다. 사용, 거부, 보관은 동의 기록에서 센 것입니다."
        case .notDeclared: "밝히지 않음"
        case .users(let count): "이 컴퓨터의 사용자 \(count)명"
        case .noTransfer: "없음: 모든 세션에 네트워크가 없었음(확인됨)"
        case .transferUnknown: "VoiceGate가 알 수 없음. 받는 쪽 참조"
        case .securityText: "이 컴퓨터의 격리된 프로세스에서 인식. 새로운 사용 전에 항상 동의를 확인. 철회는 즉시 적용. 변조가 드러나는 기록. 보관된 것은 암호화"
        case .noConsent: "현재 없음"
        case .consent(let resource, let day, let record): "\(resource) 동의, \(day), 기록 \(record)"
        case .column(let column):
            switch column {
            case .activity: "활동"
            case .client: "프로그램"
            case .controller: "관리자와 연락처"
            case .purposes: "목적"
            case .subjects: "정보 주체"
            case .data: "개인 데이터"
            case .recipients: "받는 쪽"
            case .transfers: "제3국 이전"
            case .retention: "삭제 기한"
            case .security: "보안 조치"
            case .basis: "법적 근거"
            case .firstUse: "첫 사용"
            case .lastUse: "마지막 사용"
            case .timesListened: Language.korean.reportWording(.timesListened)
            case .listened: Language.korean.reportWording(.listened)
            case .filesTranscribed: Language.korean.reportWording(.filesTranscribed)
            case .transcribed: Language.korean.reportWording(.transcribed)
            case .keptNow: "현재 보관 건수"
            case .refused: "거부된 접근"
            }
        }
    }
}
