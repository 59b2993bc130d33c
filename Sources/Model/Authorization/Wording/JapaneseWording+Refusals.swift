import Foundation

extension JapaneseWording {
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String {
        "このコンピュータの管理者のポリシーにより、\(client)は\(name(of: resource))を使用できません"
            + (reason.map { "：\($0)" } ?? "。")
    }

    func muted(_ client: String, _ resource: Resource, command: String) -> String {
        "すべてがミュートされているため、\(client)は\(name(of: resource))を使用できません。解除するには：\(command)"
    }

    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String {
        let date = "\(day.year ?? 0)年\(day.month ?? 0)月\(day.day ?? 0)日"
        return "あなたは\(client)による\(name(of: resource))の使用を許可しませんでした（\(date)）。変更するには：\(command)"
    }

    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String {
        "\(client)に\(name(of: resource))の使用を許可したときから、プログラム \(program) が変わっています。"
            + "現在のものを許可するには：\(command)"
    }

    func inUseOnce(_ client: String, _ resource: Resource) -> String {
        "\(client)は\(name(of: resource))の使用を一つのセッションだけ許可されていて、そのセッションがまだ続いています。"
            + "終了してから、もう一度お試しください。"
    }

    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client)による\(name(of: resource))の使用は、まだ許可されていません。"
            + "ターミナルで使用するときにたずねます。今すぐ決めるには：\(command)"
    }

    func notAskedInBackground(_ client: String, _ resource: Resource) -> String {
        "\(client)はバックグラウンドにあるため、\(name(of: resource))の使用についてたずねません。"
            + "ターミナルまたはデスクトップのフォアグラウンドで実行してください。"
    }

    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client)はバックグラウンドでの\(name(of: resource))の使用を求めていますが、まだ確認されていません。"
            + "今すぐ決めるには：\(command)"
    }

    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client)が\(name(of: resource))を使用できるのは使用中のみで、今はバックグラウンドにあります。"
            + "フォアグラウンドに戻すか、次のコマンドで許可してください：\(command)"
    }

    func notAnUpgrade(_ client: String, command: String) -> String {
        "「常に許可」は「使用中のみ許可」からの変更ですが、\(client)はまだ許可されていません。先に：\(command)"
    }

    func alreadyFull(_ client: String) -> String {
        "\(client)にはすでにすべての言葉が許可されています。セッションを始めてください。"
    }

    func missingPurpose(_ client: String, purposeKey: String) -> String {
        "\(client)のマニフェストに目的「\(purposeKey)」の説明文がないため、理由を伝えられません。"
            + "\(Manifest.purposesKey) に追加してください。"
    }

    func noManifest(key: String, place: String) -> String {
        "このプログラムのマニフェストがありません。CFBundleExecutable と \(key) を含む Info.plist を"
            + "クライアントのフォルダ（\(place)）に置いてください。"
    }

    func missingUsageDescription(_ client: String, key: String) -> String {
        "\(client)のマニフェストに \(key) がないため、使用する理由を伝えられません。追加してください。"
    }

    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client)による\(name(of: resource))の使用について回答がなかったため、許可されません。"
            + "ターミナルでもう一度お試しいただくか、次のコマンドで決めてください：\(command)"
    }

    var tooManyRequests: String {
        "回答を待っている要求が多すぎます。先にそれらに回答してから、もう一度お試しください。"
    }

    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String {
        "\(client)は回答のないまま何度も許可を求めたため、\(seconds)秒が過ぎるまでたずねません。"
            + "その後もう一度お試しいただくか、今すぐ決めるには：\(command)"
    }

    var recordingFailed: String {
        "同意の記録に書き込めませんでした。記録されないものは許可されません。"
            + "サービスのログを確認してください。ディスクに空きがない可能性があります。"
    }
}
