import Authorization

/// The texts of the dashboard that the report has not. Commands within them are the same in every language.
enum DashboardText: Sendable, Hashable {
    case title, reload, lost, footer
    case nothingListens, listening(Int), muted, toUnmute(command: String), mute
    case now, end, since(String), until(String), file, background, paused, held, waits(String), process(Int)
    case recognisedBy(String), noNetwork, saysNotShared
    case questions, questionsIntro, waitsFor(String)
    case lastDay, lastWeek
    case permissions, noClients, notDecided, deny, toAllow, changed, lastUsed(String)
    case kept, erase, eraseAll, eraseRecords
    case confirmErasure(Int, Int), confirmErasureOfKept(Int), nothingToErase, erasureStays(Int), erasePermanently,
        cancel
    case trust, verifyNow, verified(String), verifying, verifiedAtStart, altered, logSize(Int)
    case covered, uncovered(Int), witness(String, Int, String)
    case export, format, formats, download, bundleHint
    case problems
    // After an action.
    case doneDenied, doneMuted, doneEnded, doneErased, doneVerified
    // In place of the page.
    case refused, usedAddress, notThisPage, wrongRequest, failed, back

    func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        case .korean: korean
        }
    }
}

extension DashboardText {
    private var english: String {
        switch self {
        case .title: "Who listens"
        case .reload: "Reload"
        case .lost: "No connection: this page shows an earlier state. To open it again: voicegate dashboard"
        case .footer:
            "Served by voicegate dashboard on this machine alone, until it is stopped. This page loads nothing from elsewhere."
        case .nothingListens: "Nothing listens"
        case .listening(let count): count == 1 ? "One program listens" : "\(count) programs listen"
        case .muted: "Everything is muted"
        case .toUnmute(let command): "To unmute, at a terminal: \(command)"
        case .mute: "Mute everything"
        case .now: "Now"
        case .end: "End"
        case .since(let time): "since \(time)"
        case .until(let time): "until \(time)"
        case .file: "a sound file"
        case .background: "in the background"
        case .paused: "paused"
        case .held: "over, but its device does not close"
        case .waits(let phrases): "VoiceGate waits for “\(phrases)” for it"
        case .process(let number): "process \(number)"
        case .recognisedBy(let engine): "recognised by \(engine)"
        case .noNetwork: "no network (verified)"
        case .saysNotShared: "says that nothing is shared"
        case .questions: "Waiting for your answer"
        case .questionsIntro: "Grants are made at a terminal, not on this page: voicegate agent"
        case .waitsFor(let what): "asks about \(what)"
        case .lastDay: "The last 24 hours"
        case .lastWeek: "The last 7 days"
        case .permissions: "Permissions"
        case .noClients: "No program asked for anything."
        case .notDecided: "Not decided"
        case .deny: "Deny"
        case .toAllow: "To allow, at a terminal:"
        case .changed: "The program has changed since; you will be asked again."
        case .lastUsed(let time): "last used \(time)"
        case .kept: "Kept on this machine"
        case .erase: "Erase"
        case .eraseAll: "Erase everything kept"
        case .eraseRecords: "Erase its records …"
        case .confirmErasure(let records, let items):
            "The fields of \(records == 1 ? "1 record" : "\(records) records") and \(items == 1 ? "1 recording or transcript" : "\(items) recordings and transcripts") are erased permanently. The empty records stay, so that the others can still be proven."
        case .confirmErasureOfKept(let items):
            items == 1
                ? "1 recording or transcript is erased permanently. The log still shows that it was kept and erased."
                : "\(items) recordings and transcripts are erased permanently. The log still shows that they were kept and erased."
        case .nothingToErase: "There is nothing to erase."
        case .erasureStays(let count):
            count == 1
                ? "1 record stays, because something still depends on it."
                : "\(count) records stay, because something still depends on them."
        case .erasePermanently: "Erase permanently"
        case .cancel: "Cancel"
        case .trust: "Can this log be trusted?"
        case .verifyNow: "Verify the log now"
        case .verified(let time): "Every record was verified \(time)."
        case .verifying: "The log is being verified; permissions wait for that."
        case .verifiedAtStart: "The log verified when the service started."
        case .altered: "The log was altered. What was: voicegate audit verify"
        case .logSize(let count): count == 1 ? "The log has one record." : "The log has \(count) records."
        case .covered: "Checkpoints outside the log owner’s power cover all of its records."
        case .uncovered(let count):
            "The log’s owner could rewrite the last \(count == 1 ? "record" : "\(count) records") unnoticed: voicegate doctor"
        case .witness(let name, let size, let time):
            "The witness \(name) signed the first \(size == 1 ? "record" : "\(size) records"), \(time)."
        case .export: "Export"
        case .format: "Format"
        case .formats:
            "Report (HTML)|Spreadsheet (CSV)|Data Privacy Vocabulary (JSON-LD)|Records (JSON lines)|Record of processing (GDPR, Art. 30)"
        case .download: "Download"
        case .bundleHint: "With proofs, for an auditor: voicegate audit export --output FOLDER"
        case .problems: "Problems"
        case .doneDenied: "Denied. What listened with this permission has ended."
        case .doneMuted: "Muted: nothing listens and no prompts appear."
        case .doneEnded: "The session was ended."
        case .doneErased: "Erased."
        case .doneVerified: "The log was verified."
        case .refused: "Not available"
        case .usedAddress:
            "The address that voicegate dashboard prints works once, in one browser. Run it again for a new one."
        case .notThisPage: "The request did not come from this page."
        case .wrongRequest: "There is no such page."
        case .failed: "It did not work"
        case .back: "Back to the dashboard"
        }
    }

    private var japanese: String {
        switch self {
        case .title: "いま聞いているもの"
        case .reload: "再読み込み"
        case .lost: "接続がありません。このページは以前の状態です。開き直すには：voicegate dashboard"
        case .footer: "このコンピュータの中だけで、voicegate dashboard が終わるまで表示します。このページは外から何も読み込みません。"
        case .nothingListens: "何も聞いていません"
        case .listening(let count): "\(count)個のプログラムが聞いています"
        case .muted: "すべてミュート中"
        case .toUnmute(let command): "解除するには、端末で：\(command)"
        case .mute: "すべてミュート"
        case .now: "現在"
        case .end: "終了"
        case .since(let time): "\(time)から"
        case .until(let time): "\(time)まで"
        case .file: "音声ファイル"
        case .background: "バックグラウンド"
        case .paused: "一時停止中"
        case .held: "終了しましたが、デバイスが閉じません"
        case .waits(let phrases): "VoiceGateが「\(phrases)」を待っています"
        case .process(let number): "プロセス \(number)"
        case .recognisedBy(let engine): "認識：\(engine)"
        case .noNetwork: "ネットワークなし（確認済み）"
        case .saysNotShared: "共有しないと説明"
        case .questions: "回答を待っています"
        case .questionsIntro: "許可を広げる回答は、このページではなく端末で行います：voicegate agent"
        case .waitsFor(let what): "\(what)についての質問"
        case .lastDay: "この24時間"
        case .lastWeek: "この7日間"
        case .permissions: "許可"
        case .noClients: "何かを求めたプログラムはありません。"
        case .notDecided: "未決定"
        case .deny: "許可しない"
        case .toAllow: "許可するには、端末で："
        case .changed: "その後プログラムが変わったため、もう一度質問されます。"
        case .lastUsed(let time): "最後の使用 \(time)"
        case .kept: "このコンピュータに保存されているもの"
        case .erase: "消去"
        case .eraseAll: "保存したものをすべて消去"
        case .eraseRecords: "記録を消去…"
        case .confirmErasure(let records, let items):
            "記録\(records)件の内容と、録音やテキスト\(items)件を完全に消去します。ほかの記録を証明できるように、空の記録は残ります。"
        case .confirmErasureOfKept(let items):
            "録音やテキスト\(items)件を完全に消去します。保存されていたことと消去したことは、記録に残ります。"
        case .nothingToErase: "消去するものはありません。"
        case .erasureStays(let count): "\(count)件の記録は、まだ必要なため残ります。"
        case .erasePermanently: "完全に消去"
        case .cancel: "キャンセル"
        case .trust: "この記録は信頼できるか"
        case .verifyNow: "いま検証する"
        case .verified(let time): "すべての記録を検証しました（\(time)）。"
        case .verifying: "記録を検証中です。許可はその後に有効になります。"
        case .verifiedAtStart: "サービスの開始時に記録を検証できました。"
        case .altered: "記録が改変されています。内容：voicegate audit verify"
        case .logSize(let count): "記録は\(count)件です。"
        case .covered: "すべての記録が、所有者の手の届かないチェックポイントに含まれています。"
        case .uncovered(let count): "最後の\(count)件は、所有者が気づかれずに書き換えられます：voicegate doctor"
        case .witness(let name, let size, let time): "証人 \(name) が最初の\(size)件に署名しました（\(time)）。"
        case .export: "書き出し"
        case .format: "形式"
        case .formats: "レポート（HTML）|表（CSV）|Data Privacy Vocabulary（JSON-LD）|記録（JSON）|処理活動の記録（GDPR第30条）"
        case .download: "ダウンロード"
        case .bundleHint: "監査用に証明付きで：voicegate audit export --output FOLDER"
        case .problems: "問題"
        case .doneDenied: "許可を取り消しました。この許可で聞いていたものは終了しました。"
        case .doneMuted: "ミュートしました。何も聞かず、質問も表示されません。"
        case .doneEnded: "セッションを終了しました。"
        case .doneErased: "消去しました。"
        case .doneVerified: "記録を検証しました。"
        case .refused: "表示できません"
        case .usedAddress: "voicegate dashboard が表示するアドレスは、1つのブラウザで一度だけ使えます。もう一度実行してください。"
        case .notThisPage: "このページからの要求ではありません。"
        case .wrongRequest: "そのページはありません。"
        case .failed: "できませんでした"
        case .back: "ダッシュボードへ戻る"
        }
    }

    private var korean: String {
        switch self {
        case .title: "지금 듣는 프로그램"
        case .reload: "새로 고침"
        case .lost: "연결이 없습니다. 이 페이지는 이전 상태입니다. 다시 열려면: voicegate dashboard"
        case .footer: "voicegate dashboard가 끝날 때까지 이 컴퓨터에서만 보여 줍니다. 이 페이지는 밖에서 아무것도 불러오지 않습니다."
        case .nothingListens: "듣고 있는 것이 없습니다"
        case .listening(let count): "프로그램 \(count)개가 듣고 있습니다"
        case .muted: "모두 음소거됨"
        case .toUnmute(let command): "해제하려면 터미널에서: \(command)"
        case .mute: "모두 음소거"
        case .now: "지금"
        case .end: "끝내기"
        case .since(let time): "\(time)부터"
        case .until(let time): "\(time)까지"
        case .file: "소리 파일"
        case .background: "백그라운드"
        case .paused: "일시 정지됨"
        case .held: "끝났지만 장치가 닫히지 않음"
        case .waits(let phrases): "VoiceGate가 “\(phrases)”를 기다리고 있습니다"
        case .process(let number): "프로세스 \(number)"
        case .recognisedBy(let engine): "인식: \(engine)"
        case .noNetwork: "네트워크 없음(확인됨)"
        case .saysNotShared: "공유하지 않는다고 밝힘"
        case .questions: "대답을 기다리는 질문"
        case .questionsIntro: "더 많이 허용하는 대답은 이 페이지가 아니라 터미널에서 합니다: voicegate agent"
        case .waitsFor(let what): "\(what)에 대한 질문"
        case .lastDay: "지난 24시간"
        case .lastWeek: "지난 7일"
        case .permissions: "권한"
        case .noClients: "요청한 프로그램이 없습니다."
        case .notDecided: "결정하지 않음"
        case .deny: "거부"
        case .toAllow: "허용하려면 터미널에서:"
        case .changed: "그 뒤 프로그램이 바뀌어 다시 묻습니다."
        case .lastUsed(let time): "마지막 사용 \(time)"
        case .kept: "이 컴퓨터에 보관된 것"
        case .erase: "삭제"
        case .eraseAll: "보관된 것 모두 삭제"
        case .eraseRecords: "기록 삭제…"
        case .confirmErasure(let records, let items):
            "기록 \(records)건의 내용과 녹음이나 텍스트 \(items)건을 영구히 삭제합니다. 다른 기록을 계속 증명할 수 있도록 빈 기록은 남습니다."
        case .confirmErasureOfKept(let items):
            "녹음이나 텍스트 \(items)건을 영구히 삭제합니다. 보관되었고 삭제되었다는 기록은 남습니다."
        case .nothingToErase: "삭제할 것이 없습니다."
        case .erasureStays(let count): "기록 \(count)건은 아직 필요하므로 남습니다."
        case .erasePermanently: "영구히 삭제"
        case .cancel: "취소"
        case .trust: "이 기록을 믿을 수 있는가"
        case .verifyNow: "지금 검증하기"
        case .verified(let time): "모든 기록을 검증했습니다(\(time))."
        case .verifying: "기록을 검증하고 있습니다. 권한은 그 뒤에 적용됩니다."
        case .verifiedAtStart: "서비스가 시작될 때 기록이 검증되었습니다."
        case .altered: "기록이 변조되었습니다. 내용: voicegate audit verify"
        case .logSize(let count): "기록은 \(count)건입니다."
        case .covered: "소유자의 손이 닿지 않는 체크포인트가 모든 기록을 포함합니다."
        case .uncovered(let count): "마지막 \(count)건은 소유자가 들키지 않고 다시 쓸 수 있습니다: voicegate doctor"
        case .witness(let name, let size, let time): "증인 \(name)이(가) 처음 \(size)건에 서명했습니다(\(time))."
        case .export: "내보내기"
        case .format: "형식"
        case .formats: "보고서(HTML)|표(CSV)|Data Privacy Vocabulary(JSON-LD)|기록(JSON)|처리 활동 기록(GDPR 제30조)"
        case .download: "내려받기"
        case .bundleHint: "감사인을 위해 증명과 함께: voicegate audit export --output FOLDER"
        case .problems: "문제"
        case .doneDenied: "거부했습니다. 이 권한으로 듣던 것은 끝났습니다."
        case .doneMuted: "음소거했습니다. 아무것도 듣지 않고 질문도 나타나지 않습니다."
        case .doneEnded: "세션을 끝냈습니다."
        case .doneErased: "삭제했습니다."
        case .doneVerified: "기록을 검증했습니다."
        case .refused: "열 수 없음"
        case .usedAddress: "voicegate dashboard가 보여 준 주소는 한 브라우저에서 한 번만 쓸 수 있습니다. 다시 실행하십시오."
        case .notThisPage: "이 페이지에서 온 요청이 아닙니다."
        case .wrongRequest: "그런 페이지가 없습니다."
        case .failed: "되지 않았습니다"
        case .back: "대시보드로 돌아가기"
        }
    }
}
