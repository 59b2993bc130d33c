import Authorization

/// The texts of `voicegate allow` and `voicegate manifest`. Commands within them are the same in every language.
enum ManifestText: Sendable {
    case allowQuestion(script: String, resources: [Resource])
    /// - Parameter bytes: how much larger the script is now; `nil`: unknown.
    case changed(bytes: Int64?)
    case nothingAllowed
    case allowed(script: String, client: String)
    case nameQuestion
    case purposeQuestion
    case retentionQuestion
    case keepsNothing
    case recipientsQuestion
    case nobody
    case written(path: String, command: String)
    case installed(place: String?, program: String?)
    case askedAtFirstUse(client: String, allow: String)
    case removed(String)

    func text(in language: Language = .ofPerson) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        case .korean: korean
        }
    }
}

extension ManifestText {
    private var english: String {
        switch self {
        case .allowQuestion(let script, let resources):
            "Allow \(script) to use \(resources.map(\.phrase).joined(separator: " and "))?"
        case .changed(let bytes):
            "It has changed since you allowed it"
                + (bytes.map { ": it is \(Language.english.wording.growth($0))." } ?? ".")
        case .nothingAllowed: "Nothing was allowed."
        case .allowed(let script, let client):
            """
            Allowed while in use, as it is now: \(script) (\(client)). After a change of it you are asked again.
            To remove it: voicegate manifest remove \(client)
            """
        case .nameQuestion: "Its name in prompts"
        case .purposeQuestion: "What does it do with what you say?"
        case .retentionQuestion: "How long does it keep that, for example 30 days?"
        case .keepsNothing: "it keeps nothing"
        case .recipientsQuestion: "Who else gets it? Names, with commas"
        case .nobody: "nobody"
        case .written(let path, let command): "Written: \(path). To install it: \(command)"
        case .installed(let place, let program):
            "Installed \(place.map { "as \($0)" } ?? "in the machine's service, for you alone")\(program.map { " for \($0)" } ?? ""). A running service uses it at once."
        case .askedAtFirstUse(let client, let allow):
            """
            You are asked at the first use. To preview the prompt: voicegate manifest show \(client)
            To decide now: voicegate settings \(client) --allow \(allow)
            """
        case .removed(let client): "Removed. If \(client) is installed again, you are asked again."
        }
    }

    private var japanese: String {
        switch self {
        case .allowQuestion(let script, let resources):
            "\(script) に\(resources.map(Language.japanese.wording.name(of:)).joined(separator: "と"))の使用を許可しますか。"
        case .changed(let bytes):
            "許可したときから変わっています\(bytes.map { "（\(Language.japanese.wording.growth($0))）" } ?? "")。"
        case .nothingAllowed: "何も許可していません。"
        case .allowed(let script, let client):
            """
            現在の内容のまま、使用中のみ許可しました：\(script)（\(client)）。内容が変わると、もう一度たずねます。
            取り消すには：voicegate manifest remove \(client)
            """
        case .nameQuestion: "質問に表示する名前"
        case .purposeQuestion: "話した内容を何に使いますか。"
        case .retentionQuestion: "どれだけの期間保存しますか。例：30日間"
        case .keepsNothing: "保存しない"
        case .recipientsQuestion: "ほかに誰が受け取りますか。名前をコンマで区切ります"
        case .nobody: "なし"
        case .written(let path, let command): "\(path) に書き込みました。インストールするには：\(command)"
        case .installed(let place, let program):
            "\(program.map { "\($0) のマニフェストを" } ?? "")\(place.map { "\($0) として" } ?? "このコンピュータのサービスに、あなた専用として")インストールしました。実行中のサービスはすぐに使います。"
        case .askedAtFirstUse(let client, let allow):
            """
            最初の使用時にたずねます。質問を先に見るには：voicegate manifest show \(client)
            今すぐ決めるには：voicegate settings \(client) --allow \(allow)
            """
        case .removed(let client): "削除しました。\(client) をもう一度インストールすると、もう一度たずねます。"
        }
    }

    private var korean: String {
        switch self {
        case .allowQuestion(let script, let resources):
            "\(script)에 \(resources.map(Language.korean.wording.name(of:)).joined(separator: "과 ")) 사용을 허용하겠습니까?"
        case .changed(let bytes):
            "허용한 뒤에 바뀌었습니다\(bytes.map { "(\(Language.korean.wording.growth($0)))" } ?? "")."
        case .nothingAllowed: "아무것도 허용하지 않았습니다."
        case .allowed(let script, let client):
            """
            지금 내용 그대로, 사용 중에만 허용했습니다: \(script)(\(client)). 내용이 바뀌면 다시 묻습니다.
            취소하려면: voicegate manifest remove \(client)
            """
        case .nameQuestion: "질문에 표시할 이름"
        case .purposeQuestion: "말한 내용을 어디에 씁니까?"
        case .retentionQuestion: "얼마 동안 보관합니까? 예: 30일"
        case .keepsNothing: "보관하지 않음"
        case .recipientsQuestion: "그 밖에 누가 받습니까? 이름을 쉼표로 구분"
        case .nobody: "없음"
        case .written(let path, let command): "\(path)에 썼습니다. 설치하려면: \(command)"
        case .installed(let place, let program):
            "\(program.map { "\($0)의 매니페스트를 " } ?? "")\(place.map { "\($0)(으)로" } ?? "이 컴퓨터의 서비스에 사용자 전용으로") 설치했습니다. 실행 중인 서비스는 곧바로 사용합니다."
        case .askedAtFirstUse(let client, let allow):
            """
            처음 사용할 때 묻습니다. 질문을 미리 보려면: voicegate manifest show \(client)
            지금 정하려면: voicegate settings \(client) --allow \(allow)
            """
        case .removed(let client): "제거했습니다. \(client)을(를) 다시 설치하면 다시 묻습니다."
        }
    }
}
