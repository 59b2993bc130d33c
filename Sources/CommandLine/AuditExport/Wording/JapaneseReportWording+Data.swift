extension JapaneseReportWording {
    var nothingWasKept: String { "録音、テキスト、声の特徴データのいずれも保存されていません。" }
    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "保存は\(count(kept))件、そのうち消去は\(count(erased))件、現在の保存は\(count(now))件です。"
    }
    var untilTakenBack: String { "許可を取り消すまで" }
    var keptNowTitle: String { "現在保存されているもの" }
    var erasedTitle: String { "消去されたもの" }
    func erasureReason(_ reason: String) -> String {
        switch reason {
        case "retentionEnded": "保存期間の終了"
        case "withdrawn": "許可の取り消し"
        case "requested": "本人の求め"
        case "incomplete": "書き込み中にサービスが終了"
        default: reason
        }
    }
    func recordsErased(_ count: Int) -> String { "\(self.count(count))件の記録の項目" }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        kinds.isEmpty ? "\(self.count(count))件" : "\(kinds)（\(self.count(count))件）"
    }

    var nothingToShare: String { "聞いていたプログラムがないため、共有されるものもありません。" }
    var sharingIntro: String {
        "プログラムの説明は、そのプログラム自身の言葉です。「ネットワークなし」は違います。プログラムがネットワークを持たず、"
            + "何も送れなかったことをVoiceGate自身が確認しています。"
    }
    func sharing(_ word: String, _ count: Int) -> String {
        let text =
            switch word {
            case "verified": "ネットワークなし"
            case "declared": "共有しないと説明、未確認"
            case "shared": "共有すると説明"
            case "undeclared": "説明なし"
            default: word
            }
        return "\(text)（\(self.count(count))回）"
    }
    var notEnforced: String { "確認なし" }
    var handedOnNothing: String { "記録なし" }
    func handedOn(_ count: Int) -> String { "\(self.count(count))回、渡した先：" }

    var questionsIntro: String { "ここにあることが誤りとは限りません。ただし、だれかが説明できるべきことです。" }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "許可のないセッション"
        case .withoutEnd: "終わりのないセッション"
        case .keptTooLong: "期限を過ぎた保存"
        case .unusedYes: "使われていない許可"
        case .longUnasked: "許可から長くたった使用"
        case .unanswered: "回答のない質問"
        case .clock: "戻された時計"
        case .erased: "消去された記録"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "セッションが始まりましたが、その前に許可の記録がありません。本来あってはならないことです。"
        case .withoutEnd: "セッションが始まりましたが、終わりの記録がありません。まだ続いているか、電源が切れた可能性があります。"
        case .keptTooLong: "保存の期限を過ぎていますが、消去の記録がありません。"
        case .unusedYes: "許可されましたが、それによるセッションは一度もありません。その許可はまだ必要ですか。"
        case .longUnasked: "最後の使用は、最後の質問から30日以上たっています。本人はまだ覚えているでしょうか。"
        case .unanswered: "質問が表示されましたが、回答の記録がありません。これによって許可されたものはありません。"
        case .clock: "前の記録より早い時刻の記録があります。前後の時刻は誤りかもしれませんが、順序は確かです。"
        case .erased: "これらの記録は順序も証明も保たれていますが、内容は残っていません。"
        }
    }

    func record(_ index: Int) -> String { "記録\(index)" }
    func daysAfterYes(_ days: Int) -> String { "許可から\(count(days))日後" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds))秒の後退" }
}
