import Foundation

struct JapaneseWording: Wording {
    func name(of resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "音声認識"
        case .microphone: "マイク"
        }
    }

    func growth(_ bytes: Int64) -> String {
        bytes == 0 ? "大きさは同じ" : "\(bytes.magnitude)バイト\(bytes > 0 ? "増加" : "減少")"
    }

    func title(_ question: Question, client: String, resources: [Resource]) -> String {
        let name = "「\(client)」"
        let resource = resources.map { self.name(of: $0) }.joined(separator: "と")
        return switch question {
        case .firstUse:
            "\(name)が\(resource)の使用を求めています。"
        case .identityChanged(let previous, let current):
            "\(name)は、\(resource)の使用を許可したときから変わっています。以前のプログラム："
                + "\(path(of: previous) ?? "不明")（\(previous.sha256.prefix(8))）、現在のプログラム："
                + "\(path(of: current) ?? "不明")（\(current.sha256.prefix(8))）"
                + (previous.growth(to: current).map { "、\(growth($0))" } ?? "")
        case .termsWidened:
            "\(name)は、\(resource)の使用を許可したときよりも多くの内容を示しています。"
        case .upgradeToAlways:
            "\(name)を使用していないときも、\(resource)の使用を許可しますか？"
        case .review:
            "\(name)は\(resource)をいつでも使用できます。このままにしますか？"
        case .temporaryFullFidelity:
            "\(name)は、登録された語句だけでなく、今回のセッションのすべての言葉を求めています。"
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "「\(client)」による\(name(of: resource))の使用" }

    var collected: String { "収集" }
    var purpose: String { "目的" }
    var kept: String { "保存" }
    var recognised: String { "認識" }
    func recognised(onThisMachineBy engine: String) -> String { "この端末の\(engine)" }
    var shared: String { "共有" }

    func name(of kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "マイクの音声"
        case .transcript: "認識されたテキスト"
        case .recording: "録音"
        case .microphoneProfile: "マイクの特性データ"
        }
    }

    var program: String { "プログラム" }
    var programIsUnknown: String { "不明（終了したか、確認できません）" }
    func program(_ path: String, from origin: String?) -> String { "\(path)（\(origin ?? "パッケージ以外")）" }
    func package(_ name: String) -> String { "パッケージ \(name)" }
    func mayRunOtherCode(_ program: String) -> String { "\(program)、ほかのコードを実行する可能性あり" }
    var asAbove: String { "ほかは上と同じです。" }
    func hint(keys: [String]) -> String { "\(keys.joined(separator: "、")) のいずれかを押してください。" }

    var reason: String { "理由" }
    var phrases: String { "語句" }
    func list(of count: Int, phrases quoted: String) -> String { "\(count)件：\(quoted)" }
    func phrase(_ phrase: String) -> String { "「\(phrase)」" }
    func more(_ count: Int) -> String { "…ほか\(count)行" }
    func more(_ count: Int, by key: Character) -> String { "…ほか\(count)行：\(key) を押す" }
    var everything: String { "すべて表示" }
    func page(_ number: Int, of count: Int) -> String {
        "\(count)ページ中\(number)ページ。何かキーを押すと続き、q を押すと質問に戻ります。"
    }

    var new: String { "許可後に加わった点" }
    var inBackground: String { "バックグラウンド" }

    func text(of addition: Addition) -> String {
        switch addition {
        case .purpose: "理由または目的が変わりました"
        case .kinds(let kinds): "収集するもの：\(kinds.map(name(of:)).joined(separator: listSeparator))"
        case .retention(let text): "保存期間：\(text)"
        case .kept(let times):
            times.inOrder.map { "VoiceGateが\(name(of: $0.kind))を\(retention($0.time))保存します" }.joined(separator: "；")
        case .recipients(let names): sharedWith(names.joined(separator: listSeparator))
        case .sharingNotDeclared: "共有先を明らかにしなくなりました"
        case .background(let mode): text(of: mode)
        case .launchCommand(let command): start(command)
        case .collector(let collector): recordsShared(with: collector)
        case .phrases(let phrases): "受け取る語句の追加：\(list(ofPhrases: phrases))"
        case .engine(let name): "音声は\(name)に送られて認識されます"
        }
    }

    func text(of mode: BackgroundMode) -> String {
        switch mode {
        case .audio: "使用をやめたあとも聞き続けます"
        }
    }

    func start(_ command: String) -> String { "常に許可した場合、音や語句をきっかけに起動できます：\(command)" }

    var listSeparator: String { "、" }
    var nothingIsKept: String { "何も保存されません" }
    var sharedWithNobody: String { "誰とも共有されません" }
    func sharedWith(_ recipients: String) -> String { "共有先：\(recipients)" }
    func recordsShared(with collector: RecordCollector) -> String {
        let records =
            switch collector.send {
            case .proofs: "同意の記録の時刻と種類"
            case .records: "同意の記録"
            }
        return "\(records)の共有先：\(collector.name)（\(collector.purpose)）"
    }
    var sharingNotDeclared: String { "このプログラムは明らかにしていません" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program)（\(client)を経由）" }

    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "使用中のみ許可のままにする"
        case (.always, .upgrade): "常に許可に変更する"
        case (.always, .review): "常に許可のままにする"
        case (.whileInUse, .review): "使用中のみ許可に変更する"
        case (.once, .temporary): "今回のセッションだけ許可"
        case (.later, .temporary): "今はしない"
        case (.whileInUse, _): "使用中のみ許可"
        case (.once, _): "一度だけ許可"
        case (.always, _): "常に許可"
        case (.deny, _): "許可しない"
        case (.later, _): "後で"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "使用中のみ許可しました。"
        case .once: "一度だけ許可しました。"
        case .always: "常に許可しました。"
        case .deny: "許可しませんでした。"
        case .later: "今回は許可しませんでした。次回もう一度たずねます。"
        }
    }

    func text(of act: ConfirmedAct) -> String {
        let confirms = "あなた本人の操作であることを、パスワードで確認します："
        return switch act {
        case .allow(let allowing):
            confirms + "「\(allowing.name)」（\(allowing.client)）に"
                + "\(allowing.resources.map { name(of: $0) }.joined(separator: "と"))の使用を許可します"
                + "（\(name(of: allowing))）。プログラム：\(allowing.program)"
        case .install(let client): confirms + "\(client) のマニフェストをインストールします。まだ何も許可されません。"
        case .uninstall(let client): confirms + "\(client) をアンインストールし、許可と保存されたデータを削除します。"
        case .unmute(.user): confirms + "あなたのミュートを解除します。あなたの許可されたプログラムが再び聞けるようになります。"
        case .unmute(.everyone): confirms + "全ユーザーのミュートを解除します。全ユーザーの許可されたプログラムが再び聞けるようになります。"
        case .eraseRecords(let scope): confirms + "次の記録と保存されたデータを消去します：\(narrowing(scope))"
        case .eraseKept(let client, let items):
            confirms + (client.map { "\($0) の" } ?? "") + "\(keptItems(items))を消去します。"
        }
    }

    private func narrowing(_ scope: RightsScope) -> String {
        [
            scope.client.map { "\($0)" }, scope.session.map { "セッション \($0)" }, scope.end.map { "\($0) より前" },
        ].compactMap { $0 }.joined(separator: listSeparator)
    }

    private func keptItems(_ items: [String]?) -> String {
        items.map { "保存されたデータ\($0.count)件（\(ConfirmedAct.names(of: $0))）" } ?? "保存されたすべてのデータ"
    }

    var noAnswer: String { "回答がなかったため、何も許可されません。" }

    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "すべての言葉"
        case .reduced: "登録された語句だけ"
        }
    }

    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        "VoiceGateは\(name(of: kind))を暗号化し、このコンピューターに\(retention(time))保存します。"
    }

    var untilWithdrawn: String { "許可を取り消すか消去するまで" }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "年間"
            case .months: "か月間"
            case .weeks: "週間"
            case .days: "日間"
            case .hours: "時間"
            case .minutes: "分間"
            case .seconds: "秒間"
            }
        return "\(count)\(word)"
    }

    /// For a program that runs the code of others.
    private var lasting: String {
        "今後も許可するには、コマンドをご自分のスクリプトに書き、次を実行してください：voicegate allow SCRIPT"
    }

    func refusal(_ reason: RefusalReason, client: String, resource: Resource, command: String) -> String {
        let use = "\(name(of: resource))の使用"
        switch reason {
        case .restricted(let reason):
            return "このコンピュータの管理者のポリシーにより、\(client)は\(name(of: resource))を使用できません"
                + (reason.map { "：\($0)" } ?? "。")
        case .muted(let scope, let program):
            return (scope == .everyone ? "全ユーザーについて、" : "") + (program.map { "\($0)により" } ?? "")
                + "すべてがミュートされているため、\(client)は\(name(of: resource))を使用できません。解除するには：\(command)"
        case .denied(let day):
            let date = "\(day.year ?? 0)年\(day.month ?? 0)月\(day.day ?? 0)日"
            return "あなたは\(client)による\(use)を許可しませんでした（\(date)）。変更するには：\(command)"
        case .untrusted(let sentence):
            return sentence
        case .identityChanged(let program, let bytes):
            return "\(client)に\(use)を許可したときから、プログラム \(program) が変わっています"
                + "\(bytes.map { "（\(growth($0))）" } ?? "")。現在のものを許可するには：\(command)"
        case .termsWidened:
            return "\(client)は、\(use)を許可したときよりも多くの内容を示しています。ターミナルで使用するときにたずねます。"
                + "加わった点を確認して今すぐ決めるには：\(command)"
        case .notDetermined:
            return "\(client)による\(use)は、まだ許可されていません。ターミナルで使用するときにたずねます。"
                + (command.isEmpty ? lasting : "今すぐ決めるには：\(command)")
        case .notAskedInBackground:
            return "\(client)はバックグラウンドにあるため、\(use)についてたずねません。"
                + "ターミナルまたはデスクトップのフォアグラウンドで実行してください。"
        case .notInBackground:
            return "\(client)はバックグラウンドにあるため、\(name(of: resource))を使用できません。"
                + "フォアグラウンドに戻すか、次のコマンドで「常に許可」にしてください：\(command)"
        case .notAnUpgrade:
            return "「常に許可」は「使用中のみ許可」からの変更ですが、\(client)はまだ許可されていません。先に：\(command)"
        case .reducedFidelity:
            return "\(client)が受け取れるのはマニフェストに登録された語句（VoiceGatePhrases）だけですが、登録がありません。"
                + "追加するか、次のコマンドですべての言葉を許可してください：\(command)"
        case .alreadyFull:
            return "\(client)にはすでにすべての言葉が許可されています。セッションを始めてください。"
        case .missingPurpose(let key):
            return "\(client)のマニフェストに目的「\(key)」の説明文がないため、理由を伝えられません。"
                + "\(Manifest.purposesKey) に追加してください。"
        case .missingBackgroundMode:
            return "\(client)のマニフェストにバックグラウンドでの動作が示されていないため、「常に許可」にはできません。"
                + "UIBackgroundModes に audio を加えるか、VoiceGateLaunchCommand を追加してください。"
        case .noManifest(let path):
            return "このプログラムの正しいマニフェストがありません。誤りは voicegate status で確認できます。"
                + (command.isEmpty
                    ? "CFBundleExecutable と \(resource.usageDescriptionKey) を含む "
                        + "Info.plist をクライアントのフォルダ（\(path)）に置いてください。" : "作成するには：\(command)")
        case .missingUsageDescription:
            return "\(client)のマニフェストに \(resource.usageDescriptionKey) がないため、使用する理由を伝えられません。追加してください。"
        case .noAnswer:
            return "\(client)による\(use)について回答がなかったため、許可されません。"
                + "ターミナルで、必要なら voicegate agent で回答してください。"
                + (command.isEmpty ? lasting : "コマンドで決めるには：\(command)")
        case .tooManyRequests:
            return "回答を待っている要求が多すぎます。先にそれらに回答してから、もう一度お試しください。"
        case .tooManyPrompts(let seconds):
            return "\(client)は回答のないまま何度も許可を求めたため、\(seconds)秒が過ぎるまでたずねません。"
                + "その後もう一度お試しください。" + (command.isEmpty ? lasting : "今すぐ決めるには：\(command)")
        case .tooManyRecords(let seconds):
            return "あなたのプログラムについての記録が上限に達しています。記録されないものは許可されません。"
                + "\(seconds)秒後にもう一度お試しください。"
        case .recordingFailed:
            return "同意の記録に書き込めませんでした。記録されないものは許可されません。"
                + "サービスのログを確認してください。ディスクに空きがない可能性があります。"
        }
    }
}
