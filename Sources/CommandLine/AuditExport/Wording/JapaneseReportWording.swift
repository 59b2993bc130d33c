import Authorization
import Consent

struct JapaneseReportWording: ReportWording {
    func callAsFunction(_ text: ReportText) -> String {
        switch text {
        case .title: "だれが、いつ聞いていたか"
        case .skip: "本文へ"
        case .contents: "目次"
        case .emptyLog: "該当する記録はありません。"
        case .coversName: "対象"
        case .madeName: "作成日時"
        case .timesName: "時刻の表示"
        case .everything: "すべての記録"
        case .onlyProgram: "次のプログラムのみ："
        case .onlySubject: "次の人のみ："
        case .unknownProgram: "名前が消去されたプログラム"
        case .timesListened: "聞いていた回数"
        case .listened: "聞いていた時間"
        case .filesTranscribed: "書き起こしたファイル"
        case .transcribed: "書き起こした音声の長さ"
        case .programsSeen: "プログラム"
        case .grantsAndDenials: "許可 / 不許可"
        case .itemsKept: "保存中"
        case .openQuestions: "確認が必要"
        case .nothingIsKeptNow: "現在、保存されているものはありません。"
        case .noQuestions: "確認が必要なことはありません。"
        case .whenColumn: "日時"
        case .programColumn: "プログラム"
        case .notHeardColumn: "聞かなかった時間"
        case .allowedByColumn: "許可の根拠"
        case .deviceColumn: "入力"
        case .engineColumn: "認識エンジン"
        case .endedColumn: "終了の理由"
        case .sinceColumn: "保存開始"
        case .sizeColumn: "サイズ"
        case .untilColumn: "期限"
        case .whatColumn: "内容"
        case .whyColumn: "理由"
        case .declaredColumn: "プログラムの説明"
        case .enforcedColumn: "VoiceGateの確認"
        case .handedOnColumn: "渡した記録"
        case .kindNameColumn: "記録での名前"
        case .numberColumn: "件数"
        case .nobodyAsked: "質問も決定もありませんでした。"
        case .answersIntro: "すべての回答を新しい順に示します。回答したときに画面に表示されていた文も残っています。"
        case .erasedValue: "消去済み"
        case .fieldsErased: "内容は消去済み"
        case .carriedOver: "プログラムが更新され、許可は引き継がれました"
        case .muted: "すべてをミュートしました。"
        case .unmuted: "ミュートを解除しました。"
        case .whatWasShown: "表示された内容"
        case .noPrograms: "何かを求めたプログラムはありません。"
        case .standingTitle: "現在の許可"
        case .fourItems: "データについての説明"
        case .askNextTime: "次回確認"
        case .alwaysToConfirm: "「常に」は確認後に有効：voicegate agent の実行中に質問が表示されます"
        case .alwaysToReview: "続けるかどうかの質問が、voicegate agent の実行中に表示されます"
        case .neverAnswered: "このプログラムへの回答は、このレポートにありません。"
        case .noNotice: "説明の記録なし"
        case .nobodyListened: "聞いていたプログラムはありません。"
        case .allPrograms: "すべてのプログラムの合計"
        case .sameAsTable: "同じ内容の表"
        case .usageCaption: "各プログラムが聞いていた回数と時間、書き起こしたファイル"
        case .latestSessions: "最近のセッション"
        case .soundFile: "音声ファイル"
        case .neverListened: "一度も聞いていません。"
        case .nothingWasKept: "録音、テキスト、声の特徴データのいずれも保存されていません。"
        case .untilTakenBack: "許可を取り消すまで"
        case .keptNowTitle: "現在保存されているもの"
        case .erasedTitle: "消去されたもの"
        case .nothingToShare: "聞いたり書き起こしたりしたプログラムがないため、共有されるものもありません。"
        case .sharingIntro: "プログラムの説明は、そのプログラム自身の言葉です。「ネットワークなし」は違います。プログラムがネットワークを持たず、何も送れなかったことをVoiceGate自身が確認しています。"
        case .notEnforced: "確認なし"
        case .handedOnNothing: "記録なし"
        case .questionsIntro: "ここにあることが誤りとは限りません。ただし、だれかが説明できるべきことです。"
        case .fits: "記録は検証できました。"
        case .doesNotFit: "記録は検証できません。"
        case .notChecked: "記録は検証されていません。"
        case .provenTitle: "証明されていること"
        case .notProvenTitle: "証明されていないこと"
        case .nothingProven: "ありません。このページの内容は、すべて主張として扱ってください。"
        case .fitTogether: "どの記録も、変更、削除、追加、移動されていません。そうするには、そこから後の記録をすべて書き直す必要があります。"
        case .coveredWhole: "これはチェックポイントまでのすべての記録です。ルートは記録そのものから計算し直しました。"
        case .coveredByProofs: "ここにある各記録は、この記録簿のものです。それぞれの証明がチェックポイントのルートに至ります。"
        case .notCovered: "このページだけでは、その数を証明できません。バンドルなら証明できます：voicegate audit export --output FOLDER"
        case .signed: "チェックポイントは記録の鍵で署名されています。以前のものを別の場所に持っていれば、それより前は、このコンピュータの管理者によっても変えられていないことを示せます。"
        case .neverPublished: "この記録によれば、チェックポイントはまだこのコンピュータの外に出ていません：voicegate audit checkpoint --publish FILE"
        case .checkYourself: "VoiceGateを使わずに確かめるには、バンドルに記録、チェックポイント、証明、鍵があり、手順は README.txt にあります。"
        case .rootName: "ルート"
        case .keyName: "鍵"
        case .logName: "記録簿"
        }
    }

    func date(_ date: CivilDate) -> String { "\(date.year)年\(date.month)月\(date.day)日" }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment.date)) \(clock(moment))" }

    func week(_ first: CivilDate) -> String { "\(date(first))からの週" }
    func month(_ date: CivilDate) -> String { "\(date.year)年\(date.month)月" }
    func year(_ date: CivilDate) -> String { "\(date.year)年" }

    let units = DurationUnits(hour: "時間", minute: "分", second: "秒", separator: "")

    func name(of section: ReportSection) -> String {
        switch section {
        case .summary: "概要"
        case .timeline: "聞いていた時間"
        case .answers: "質問と回答"
        case .programs: "プログラムごと"
        case .keeping: "保存と消去"
        case .sharing: "共有"
        case .questions: "確認が必要なこと"
        case .proof: "証明されていること"
        case .appendix: "記録の種類"
        }
    }

    func footer(_ log: String) -> String {
        "VoiceGateが同意の記録 \(log) から作成しました。このページは何も読み込まず、何も実行しません。"
    }

    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) 〜 \(last)" }
    func since(_ moment: String) -> String { "\(moment)以降" }
    func until(_ moment: String) -> String { "\(moment)より前" }

    func isKeptNow(_ count: Int) -> String { "現在、\(self.count(count))件が保存されています。" }
    func someQuestions(_ count: Int) -> String { "確認が必要なことが\(self.count(count))件あります。" }

    func leftOut(_ count: Int, _ file: String) -> String {
        "ほかに\(self.count(count))件あります。すべてはバンドルの \(file) にあります。"
    }
    func morePrograms(_ count: Int) -> String {
        "ほかに\(self.count(count))個のプログラムがあります。すべてはバンドルの accesses.csv にあります。"
    }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch (state, scope) {
        case (.requested, _): "質問"
        case (.given, .once): "一度だけ許可"
        case (.given, .whileInUse): "使用中のみ許可"
        case (.given, .always): "常に許可"
        case (.given, nil): "許可"
        case (.renewed, _): "あらためて許可"
        case (.refused, _): "許可しない"
        case (.deferred, _): "後で"
        case (.withdrawn, _): "取り消し"
        case (.expired, _): "期限切れ"
        case (.revoked, _): "管理者による禁止"
        }
    }

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

    let reasons = [
        "unused": "長い間使用されなかったため",
        "clockSetBack": "時計が戻され、経過時間が分からないため",
        "tooMany": "マニフェストのないプログラムについての決定が多すぎ、最も古いため",
    ]

    let questions = [
        "identityChanged": "プログラムが変わったための質問です。",
        "termsWidened": "許可した範囲より多くの内容が示されたための質問です。",
        "upgradeToAlways": "常に許可するかどうかの質問です。",
        "review": "常に許可を続けるかどうかの確認です。",
        "temporaryFullFidelity": "今回のセッションのすべての言葉についての質問です。",
    ]

    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome)（\(date)）" }
    func asShown(_ record: Int) -> String { "最後に表示されたとおり（記録\(record)）。" }

    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String {
        let column =
            switch unit {
            case .hour: "1時間"
            case .day: "1日"
            case .week: "1週間"
            case .month: "1か月"
            case .year: "1年"
            }
        return "棒1本が\(column)を表し、高いほど長く聞いていました。最も高い棒は\(tallest)です。"
    }

    func listened(_ times: Int, _ duration: String) -> String { "聞き取り\(count(times))回、\(duration)" }
    func transcribed(_ files: Int, _ duration: String) -> String { "ファイル\(count(files))件の書き起こし、\(duration)" }
    func stripDescription(_ use: String, _ most: String) -> String { "\(use)。最も長いのは、\(most)。" }
    func bar(_ label: String, _ use: String) -> String { "\(label)：\(use)" }

    let endings = [
        "ended": "プログラムが終了",
        "silence": "無音",
        "cancelled": "中止",
        "revoked": "許可の取り消し",
        "restricted": "ポリシーによる禁止",
        "muted": "ミュート",
        "background": "バックグラウンドへ移動",
        "deviceLost": "入力の切断",
        "failed": "障害",
        "disconnected": "プログラムの切断",
        "clientStalled": "プログラムの応答なし",
        "serviceStalled": "サービスの読み取りの遅れ",
        "serviceStopped": "サービスの停止",
    ]

    func ground(_ ground: ListeningGround) -> String {
        switch ground {
        case .foreground: "前面での使用"
        case .backgroundMode: "宣言されたバックグラウンドモード"
        case .always: "「常に」の許可"
        case .phrase: "語句のモニター"
        case .sound: "音のモニター"
        }
    }

    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "\(use)（\(first)）。" : "\(use)。最初は\(first)、最後は\(last)。"
    }
    func refusedFor(_ reasons: String) -> String { "拒否：\(reasons)。" }

    let refusals = [
        "notDetermined": "まだ回答がない",
        "denied": "許可されていない",
        "restricted": "ポリシーによる禁止",
        "identityChanged": "プログラムが変わった",
        "termsWidened": "許可した範囲より多くの内容を示した",
        "missingManifest": "マニフェストがない",
        "missingUsageDescription": "理由の説明がない",
        "missingPurpose": "理由の説明がない",
        "missingBackgroundMode": "バックグラウンドでの動作が示されていない",
        "noAnswer": "回答がなかった",
        "notInUse": "バックグラウンドにあった",
        "muted": "すべてミュート中",
        "reducedFidelity": "登録された語句だけ許可",
        "untrusted": "信頼できない",
        "tooManyRequests": "要求が多すぎる",
        "recordingFailed": "記録に書き込めない",
    ]

    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "保存は\(count(kept))件、そのうち消去は\(count(erased))件、現在の保存は\(count(now))件です。"
    }
    let erasureReasons = [
        "retentionEnded": "保存期間の終了",
        "withdrawn": "許可の取り消し",
        "requested": "本人の求め",
        "incomplete": "書き込み中にサービスが終了",
    ]
    func recordsErased(_ count: Int) -> String { "\(self.count(count))件の記録の項目" }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        kinds.isEmpty ? "\(self.count(count))件" : "\(kinds)（\(self.count(count))件）"
    }

    let sharings = [
        "verified": "ネットワークなし",
        "declared": "共有しないと説明、未確認",
        "shared": "共有すると説明",
        "undeclared": "説明なし",
    ]
    func sharing(_ way: String, _ count: Int) -> String { "\(way)（\(self.count(count))回）" }
    func handedOn(_ count: Int) -> String { "\(self.count(count))回、渡した先：" }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "許可のないセッション"
        case .withoutEnd: "終わりのないセッション"
        case .keptTooLong: "期限を過ぎた保存"
        case .unusedGrant: "使われていない許可"
        case .longUnasked: "許可から長くたった使用"
        case .unanswered: "回答のない質問"
        case .clock: "戻された時計"
        case .erased: "消去された記録"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "セッションが始まりましたが、その前に許可の記録がありません。本来あってはならないことです。"
        case .withoutEnd: "セッションが始まりましたが、終わりの記録がありません。まだ続いているか、電源が切れた可能性があります。聞いていた時間は分からないため、数えていません。"
        case .keptTooLong: "保存の期限を過ぎていますが、消去の記録がありません。"
        case .unusedGrant: "許可されましたが、それによるセッションは一度もありません。その許可はまだ必要ですか。"
        case .longUnasked: "最後の使用は、最後の質問から30日以上たっています。本人はまだ覚えているでしょうか。"
        case .unanswered: "質問が表示されましたが、回答の記録がありません。これによって許可されたものはありません。"
        case .clock: "前の記録より早い時刻の記録があります。前後の時刻は誤りかもしれませんが、順序は確かです。"
        case .erased: "これらの記録は順序も証明も保たれていますが、内容は残っていません。"
        }
    }

    func record(_ index: Int) -> String { "記録\(index)" }
    func daysAfterGrant(_ days: Int) -> String { "許可から\(count(days))日後" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds))秒の後退" }

    func allFit(_ records: Int) -> String { "記録は検証できました。\(count(records))件すべてが一致しています。" }

    func erasedKeepPlace(_ records: Int) -> String {
        "\(count(records))件の記録の内容が、消去の記録とともに消去されました。それらの記録は元の位置に残っています。"
    }
    var notProven: [String] {
        [
            "別の場所にある最後のチェックポイントより後のこと。このコンピュータを支配する者は、その部分を書き直せたかもしれません。",
            "プログラムが自分について述べること。名前、目的、保存期間、共有先がこれに当たります。",
            "VoiceGateを通らなかったこと。音声デバイスを直接使えるプログラムは、この記録に現れません。",
            "画面の前の人と、声を聞かれた人が同じであること。",
        ]
    }
    func published(_ records: Int, _ moment: String) -> String {
        "最後に外へ出たチェックポイントは\(moment)のもので、最初の\(count(records))件の記録に及びます。送り先："
    }

    var recordsName: String { "記録の数" }
    func appendixIntro(_ records: Int) -> String { "このレポートは\(count(records))件の記録から作成しました。" }

    let kinds = [
        "log.genesis": "記録の始まり", "notice.shown": "質問の表示", "notice.changed": "説明の変更",
        "decision.asked": "質問", "decision.granted": "許可", "decision.renewed": "許可の更新",
        "decision.denied": "不許可", "decision.deferred": "保留", "decision.withdrawn": "回答の取り消し",
        "decision.used": "許可の使用", "decision.expired": "許可の期限切れ",
        "decision.upgradeRequested": "常に許可の要求", "identity.carriedOver": "更新されたプログラムの許可の引き継ぎ",
        "restricted.by_policy": "ポリシーによる禁止", "revoked.by_admin": "管理者による取り消し",
        "access.blocked": "使用の拒否", "access.counted": "拒否の回数",
        "session.started": "聞き始め", "session.stopped": "聞き終わり",
        "recognizer.failed": "認識の失敗", "engine.changed": "認識エンジンの変更", "collector.changed": "記録の共有先の変更",
        "data.retained": "保存", "data.notKept": "保存できず",
        "data.erased": "消去", "data.shared": "第三者への提供",
        "request.received": "データについての請求の受付", "request.answered": "データについての請求への回答",
        "export.made": "書き出し", "policy.changed": "ポリシーの変更", "key.rotated": "記録の鍵の変更",
        "checkpoint.published": "チェックポイントの公開", "recovery": "記録の復旧", "clock.jump": "時計の変化",
        "service.muted": "ミュート", "service.unmuted": "ミュートの解除", "monitor.registered": "モニターの登録",
        "monitor.removed": "モニターの削除", "monitor.paused": "モニターの一時停止", "monitor.resumed": "モニターの再開",
        "monitor.triggered": "モニターの反応", "monitor.failed": "モニターの失敗",
        "monitor.started": "モニターによるプログラムの開始",
        "monitor.exited": "モニターが始めたものの終了",
    ]

    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate：だれが、いつ、だれの許可で聞き、その後どうなったか
        ==============================================================

        \(madeAt) に、同意の記録 \(log) から作成しました。
        人についての記録です。手紙と同じように、大切に保管してください。

        読むには：report.html をブラウザで開きます。何も読み込まず、何も実行しません。

        report.html       人のためのレポート
        accesses.csv      すべてのセッションと、拒否された使用
        decisions.csv     すべての質問、回答、取り消し
        consent.jsonld    機械のための同じ内容。W3C Data Privacy Vocabulary 2.3
        records.jsonl     記録そのもの（leaf、disclosures）
        notices/          表示された質問。名前は文のSHA-256
        scope.json        書き出しの範囲
        checkpoint        記録の数とルート、署名つき
        log.vkey          記録の鍵。最後の行が最新
        \(whole
            ? ""
            : """
            proofs/           各記録がこの記録簿にあることの証明
            consistency/      この記録簿が以前のチェックポイントの続きであることの証明（ある場合）

            """)\
        SHA256SUMS        すべてのファイルのSHA-256。SHA256SUMS.note はその署名

        確かめるには
        ------------

        VoiceGateを使う場合は、どのコンピュータでも voicegate audit verify フォルダ。使わない場合は：

        1. ファイル：sha256sum --check SHA256SUMS
        2. 署名：checkpoint と SHA256SUMS.note は signed note です（https://c2sp.org/signed-note）。
           log.vkey の最後の行で確かめます。
        3. 記録：\(whole
            ? "leaf を順にRFC 6962のとおりハッシュすると、checkpoint のルートになります。"
            : "proofs/ の各ファイルが、leaf から checkpoint のルートに至ります（https://c2sp.org/tlog-proof）。")
        4. 項目：各 disclosure のSHA-256（base64url）が、leaf の _sd にあります。

        鍵は、別の方法で得たものと比べてください。以前のバンドル、公開されたチェックポイント、またはそのコンピュータでの
        voicegate audit checkpoint です。データと一緒に届いた鍵は、両者が対応することしか証明しません。

        証明されないこと：別の場所にある最後のチェックポイントより後のこと、プログラムが自分について述べること、
        VoiceGateを通らなかったこと。

        """
    }
}
