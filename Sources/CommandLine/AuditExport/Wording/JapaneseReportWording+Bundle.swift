extension JapaneseReportWording {
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
        accesses.ndjson   マイクの使用。AppleのApp Privacy Reportの形式
        consent.jsonld    機械のための同じ内容。W3C Data Privacy Vocabulary 2.3
        records.jsonl     記録そのもの（leaf、disclosures\(whole ? "" : "、proof")）
        notices/          表示された質問。名前は文のSHA-256
        scope.json        書き出しの範囲
        checkpoint        記録の数とルート、署名つき
        log.vkey          記録の鍵。最後の行が最新
        \(whole ? "" : "proofs/           各記録がこの記録簿にあることの証明\n")\
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
