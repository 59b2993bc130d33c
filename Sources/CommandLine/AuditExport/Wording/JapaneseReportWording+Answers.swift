import Authorization

extension JapaneseReportWording {
    var nobodyAsked: String { "質問も決定もありませんでした。" }
    var answersIntro: String { "すべての回答を新しい順に示します。回答したときに画面に表示されていた文も残っています。" }
    var erasedValue: String { "消去済み" }
    var fieldsErased: String { "内容は消去済み" }
    func about(_ program: Markup, _ resource: String) -> Markup { "\(program) · \(resource)" }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch state {
        case .requested: "質問"
        case .given:
            switch scope {
            case .once: "一度だけ許可"
            case .whileInUse: "使用中のみ許可"
            case .always: "常に許可"
            case nil: "許可"
            }
        case .renewed: "あらためて許可"
        case .refused: "許可しない"
        case .deferred: "後で"
        case .withdrawn: "取り消し"
        case .expired: "期限切れ"
        case .revoked: "管理者による禁止"
        }
    }

    var carriedOver: String { "プログラムが更新され、許可は引き継がれました" }
    var muted: String { "すべてをミュートしました。" }
    var unmuted: String { "ミュートを解除しました。" }

    func way(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "ターミナルで回答"
        case .agent: "エージェントのターミナルで回答"
        case .desktop: "デスクトップで回答"
        case .scriptedAgent: "スクリプトによる回答"
        case .settings: "設定で変更"
        case .administrator: "管理者が設定"
        }
    }

    func reason(_ reason: String) -> String {
        switch reason {
        case "unused": "長い間使用されなかったため"
        case "clockSetBack": "時計が戻され、経過時間が分からないため"
        default: reason
        }
    }

    func question(_ word: String) -> String? {
        switch word {
        case "identityChanged": "プログラムが変わったための質問です。"
        case "upgradeToAlways": "常に許可するかどうかの質問です。"
        case "review": "常に許可を続けるかどうかの確認です。"
        case "temporaryFullFidelity": "今回のセッションのすべての言葉についての質問です。"
        default: nil
        }
    }

    var whatWasShown: String { "表示された内容" }

    var noPrograms: String { "何かを求めたプログラムはありません。" }
    var standingTitle: String { "現在の許可" }
    var fourItems: String { "データについての説明" }
    var neverAnswered: String { "このプログラムへの回答は、このレポートにありません。" }
    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome)（\(date)）" }
    var noNotice: String { "説明の記録なし" }
    func asShown(_ record: Int) -> String { "最後に表示されたとおり（記録\(record)）。" }
}
