extension JapaneseReportWording {
    var fits: String { "記録は検証できました。" }
    var doesNotFit: String { "記録は検証できません。" }
    var notChecked: String { "記録は検証されていません。" }
    func allFit(_ records: Int) -> String { "記録は検証できました。\(count(records))件すべてが一致しています。" }

    var provenTitle: String { "証明されていること" }
    var notProvenTitle: String { "証明されていないこと" }
    var nothingProven: String { "ありません。このページの内容は、すべて主張として扱ってください。" }
    var fitTogether: String {
        "どの記録も、変更、削除、追加、移動されていません。そうするには、そこから後の記録をすべて書き直す必要があります。"
    }
    var coveredWhole: String { "これはチェックポイントまでのすべての記録です。ルートは記録そのものから計算し直しました。" }
    var coveredByProofs: String { "ここにある各記録は、この記録簿のものです。それぞれの証明がチェックポイントのルートに至ります。" }
    var notCovered: String {
        "このページだけでは、その数を証明できません。バンドルなら証明できます：voicegate audit export --format bundle"
    }
    var signed: String {
        "チェックポイントは記録の鍵で署名されています。以前のものを別の場所に持っていれば、それより前は、"
            + "このコンピュータの管理者によっても変えられていないことを示せます。"
    }
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
    var neverPublished: String {
        "この記録によれば、チェックポイントはまだこのコンピュータの外に出ていません：voicegate audit checkpoint --publish"
    }
    func published(_ records: Int, _ moment: String) -> String {
        "最後に外へ出たチェックポイントは\(moment)のもので、最初の\(count(records))件の記録に及びます。送り先："
    }
    var checkYourself: String {
        "VoiceGateを使わずに確かめるには、バンドルに記録、チェックポイント、証明、鍵があり、手順は README.txt にあります。"
    }

    var recordsName: String { "記録の数" }
    var rootName: String { "ルート" }
    var keyName: String { "鍵" }
    var logName: String { "記録簿" }

    func appendixIntro(_ records: Int) -> String { "このレポートは\(count(records))件の記録から作成しました。" }

    func kind(_ kind: String) -> String? { Self.kinds[kind] }

    private static let kinds: [String: String] = [
        "log.genesis": "記録の始まり", "notice.shown": "質問の表示", "notice.changed": "説明の変更",
        "decision.asked": "質問", "decision.granted": "許可", "decision.renewed": "許可の更新",
        "decision.denied": "不許可", "decision.deferred": "保留", "decision.withdrawn": "回答の取り消し",
        "decision.used": "許可の使用", "decision.expired": "許可の期限切れ",
        "decision.upgradeRequested": "常に許可の要求", "identity.carriedOver": "更新されたプログラムの許可の引き継ぎ",
        "restricted.by_policy": "ポリシーによる禁止", "revoked.by_admin": "管理者による取り消し",
        "access.blocked": "使用の拒否", "session.started": "聞き始め", "session.stopped": "聞き終わり",
        "recognizer.failed": "認識の失敗", "data.retained": "保存", "data.notKept": "保存できず",
        "data.erased": "消去", "data.shared": "第三者への提供",
        "request.received": "データについての請求の受付", "request.answered": "データについての請求への回答",
        "export.made": "書き出し", "policy.changed": "ポリシーの変更", "key.rotated": "記録の鍵の変更",
        "checkpoint.published": "チェックポイントの公開", "recovery": "記録の復旧", "clock.jump": "時計の変化",
        "service.muted": "ミュート", "service.unmuted": "ミュートの解除", "monitor.registered": "モニターの登録",
        "monitor.removed": "モニターの削除", "monitor.paused": "モニターの一時停止", "monitor.resumed": "モニターの再開",
        "monitor.triggered": "モニターの反応", "monitor.failed": "モニターの失敗",
        "monitor.exited": "モニターが始めたものの終了",
    ]
}
