import Authorization

/// The texts of `voicegate setup`. Commands within them are the same in every language.
enum SetupText: Sendable {
    case step(SetupStep, number: Int, count: Int)
    case speak
    case unusable
    case whichMicrophone(suggested: Int)
    case numberNeeded(Int)
    case microphoneStays
    case machinesMicrophone(String)
    case used(String)
    case tryMicrophone
    case sayASentence
    case understood(String)
    case playingBack
    case nothingHeard
    case tooLoud
    case goodLevel(Int)
    case quiet(Int)
    case engineUsed(String)
    case engineConfigured(String)
    case downloadEngine(String)
    case useEngine(String)
    case engineChosen(String)
    case nothingChanged
    case changed
    case change(SetupRecord.Change)
    case toUndo
    case next
    case nothingToUndo
    case undone(SetupRecord.Change)
    case left(SetupRecord.Change)

    func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        case .korean: korean
        }
    }
}

extension SetupText {
    private var english: String {
        switch self {
        case .step(let step, let number, let count): "\(number) of \(count): \(step.rawValue)"
        case .speak: "Speak, while each microphone is tried for a second."
        case .unusable: "(unusable)  "
        case .whichMicrophone(let number): "Which one? A number, or s to skip [\(number)]:"
        case .numberNeeded(let count): "Type a number from 1 to \(count), or s."
        case .microphoneStays: "The microphone stays as it is. To choose one: --device NAME"
        case .machinesMicrophone(let device):
            "The machine's service has the microphone of /etc/voicegate/config.yaml. There, as root: device: \(device)"
        case .used(let device): "Used from now on: \(device)"
        case .tryMicrophone: "Try it for five seconds, and hear them played back? Nothing of it is kept."
        case .sayASentence: "Say a sentence."
        case .understood(let text): "Understood: \(text)"
        case .playingBack: "This is what it heard."
        case .nothingHeard: "Nothing was heard. Choose a different one: voicegate setup microphone"
        case .tooLoud: "It is too loud: lower its gain, for example with alsamixer."
        case .goodLevel(let decibels): "Its loudest was \(decibels) dB, which is good."
        case .quiet(let decibels):
            "Its loudest was \(decibels) dB, which is quiet: raise its gain, for example with alsamixer."
        case .engineUsed(let id): "\(id) recognises speech already."
        case .engineConfigured(let engine): "config.yaml has engine: \(engine), which decides. It stays."
        case .downloadEngine(let id): "PocketSphinx is built in. Download \(id), which makes fewer errors?"
        case .useEngine(let id): "Use \(id), which is installed?"
        case .engineChosen(let id): "\(id) recognises speech from now on."
        case .nothingChanged: "Nothing was changed."
        case .changed: "Changed:"
        case .change(let change): change.description
        case .toUndo: "To take it back: voicegate setup --undo"
        case .next:
            """
            To dictate: voicegate dictate
            Further commands, each optional:
              systemctl --user enable --now voicegate.socket    systemd starts the service (the package, sudo make install)
              voicegate agent --desktop &                       shows the questions of other programs
              voicegate --generate-completion-script bash       completions, for a file of your shell; zsh, fish
              voicegate control toggle --type                   for a hot key of your desktop
            """
        case .nothingToUndo: "There is nothing to take back."
        case .undone(let change): "Taken back: \(change.description)"
        case .left(let change): "Left, because you changed it since: \(change.description)"
        }
    }

    private var japanese: String {
        switch self {
        case .step(let step, let number, let count): "\(number)/\(count)：\(step.rawValue)（\(Self.japanese(step))）"
        case .speak: "マイクを1秒ずつ試します。その間、話してください。"
        case .unusable: "（使用不可）"
        case .whichMicrophone(let number): "どれを使いますか。番号を入力するか、sでスキップします [\(number)]："
        case .numberNeeded(let count): "1から\(count)までの番号か、sを入力してください。"
        case .microphoneStays: "マイクは変更しません。選ぶには：--device NAME"
        case .machinesMicrophone(let device):
            "このコンピュータのサービスは /etc/voicegate/config.yaml のマイクを使います。rootとしてそこに書きます：device: \(device)"
        case .used(let device): "今後使うマイク：\(device)"
        case .tryMicrophone: "5秒間試して、再生しますか。内容は保存されません。"
        case .sayASentence: "何か話してください。"
        case .understood(let text): "聞き取った内容：\(text)"
        case .playingBack: "録音した音を再生します。"
        case .nothingHeard: "何も聞こえませんでした。別のマイクを選ぶには：voicegate setup microphone"
        case .tooLoud: "音が大きすぎます。alsamixerなどで入力の音量を下げてください。"
        case .goodLevel(let decibels): "最大の音量は\(decibels) dBで、適切です。"
        case .quiet(let decibels): "最大の音量は\(decibels) dBで、小さめです。alsamixerなどで入力の音量を上げてください。"
        case .engineUsed(let id): "すでに \(id) が音声を認識します。"
        case .engineConfigured(let engine): "config.yaml の engine: \(engine) が優先されるため、変更しません。"
        case .downloadEngine(let id): "PocketSphinxが組み込まれています。誤りの少ない \(id) をダウンロードしますか。"
        case .useEngine(let id): "インストール済みの \(id) を使いますか。"
        case .engineChosen(let id): "今後は \(id) が音声を認識します。"
        case .nothingChanged: "何も変更していません。"
        case .changed: "変更した内容："
        case .change(let change): Self.japanese(change)
        case .toUndo: "元に戻すには：voicegate setup --undo"
        case .next:
            """
            音声入力を始めるには：voicegate dictate
            必要に応じて使うコマンド：
              systemctl --user enable --now voicegate.socket    systemdがサービスを開始します（パッケージまたは sudo make install の後）
              voicegate agent --desktop &                       ほかのプログラムの質問を表示します
              voicegate --generate-completion-script bash       シェルの補完（zsh、fishも可）
              デスクトップのホットキーに割り当てるコマンド：voicegate control toggle --type
            """
        case .nothingToUndo: "元に戻すものはありません。"
        case .undone(let change): "元に戻しました：\(Self.japanese(change))"
        case .left(let change): "その後変更されたため、そのままにしました：\(Self.japanese(change))"
        }
    }

    private var korean: String {
        switch self {
        case .step(let step, let number, let count): "\(number)/\(count): \(step.rawValue)(\(Self.korean(step)))"
        case .speak: "마이크를 1초씩 시험합니다. 그동안 말해 보십시오."
        case .unusable: "(사용 불가) "
        case .whichMicrophone(let number): "어느 것을 쓰겠습니까? 번호를 입력하거나 s로 건너뜁니다 [\(number)]:"
        case .numberNeeded(let count): "1부터 \(count)까지의 번호나 s를 입력하십시오."
        case .microphoneStays: "마이크는 그대로 둡니다. 고르려면: --device NAME"
        case .machinesMicrophone(let device):
            "이 컴퓨터의 서비스는 /etc/voicegate/config.yaml에 적힌 마이크를 씁니다. root로 그 파일에: device: \(device)"
        case .used(let device): "앞으로 쓸 마이크: \(device)"
        case .tryMicrophone: "5초 동안 시험하고 다시 들어 보겠습니까? 내용은 보관되지 않습니다."
        case .sayASentence: "한 문장을 말해 보십시오."
        case .understood(let text): "알아들은 내용: \(text)"
        case .playingBack: "녹음한 소리를 재생합니다."
        case .nothingHeard: "아무것도 들리지 않았습니다. 다른 것을 고르려면: voicegate setup microphone"
        case .tooLoud: "소리가 너무 큽니다. alsamixer 등으로 입력 음량을 낮추십시오."
        case .goodLevel(let decibels): "가장 큰 소리는 \(decibels) dB로 적당합니다."
        case .quiet(let decibels): "가장 큰 소리가 \(decibels) dB로 작습니다. alsamixer 등으로 입력 음량을 높이십시오."
        case .engineUsed(let id): "이미 \(id) 엔진이 음성을 인식합니다."
        case .engineConfigured(let engine): "config.yaml의 engine: \(engine) 설정이 우선하므로 그대로 둡니다."
        case .downloadEngine(let id): "PocketSphinx가 들어 있습니다. 오류가 더 적은 \(id) 엔진을 내려받겠습니까?"
        case .useEngine(let id): "설치되어 있는 \(id) 엔진을 쓰겠습니까?"
        case .engineChosen(let id): "이제부터 \(id) 엔진이 음성을 인식합니다."
        case .nothingChanged: "바뀐 것이 없습니다."
        case .changed: "바뀐 것:"
        case .change(let change): Self.korean(change)
        case .toUndo: "되돌리려면: voicegate setup --undo"
        case .next:
            """
            받아쓰기를 시작하려면: voicegate dictate
            필요할 때 쓰는 명령:
              systemctl --user enable --now voicegate.socket    systemd가 서비스를 시작합니다(패키지 또는 sudo make install 뒤)
              voicegate agent --desktop &                       다른 프로그램의 질문을 보여 줍니다
              voicegate --generate-completion-script bash       셸 자동 완성(zsh, fish도 가능)
              데스크톱 단축키에 지정할 명령: voicegate control toggle --type
            """
        case .nothingToUndo: "되돌릴 것이 없습니다."
        case .undone(let change): "되돌렸습니다: \(Self.korean(change))"
        case .left(let change): "그 뒤 바뀌었으므로 그대로 두었습니다: \(Self.korean(change))"
        }
    }

    private static func japanese(_ step: SetupStep) -> String {
        switch step {
        case .microphone: "マイク"
        case .engine: "認識エンジン"
        }
    }

    private static func korean(_ step: SetupStep) -> String {
        switch step {
        case .microphone: "마이크"
        case .engine: "인식 엔진"
        }
    }

    private static func japanese(_ change: SetupRecord.Change) -> String {
        switch change {
        case .file(let path, _, let previous): previous == nil ? "\(path) を作成" : "\(path) を変更"
        case .engineInstalled(let id): "認識エンジン \(id) をインストール"
        case .engineUsed(let id, _): "音声認識に \(id) を選択"
        }
    }

    private static func korean(_ change: SetupRecord.Change) -> String {
        switch change {
        case .file(let path, _, let previous): previous == nil ? "\(path) 작성" : "\(path) 변경"
        case .engineInstalled(let id): "인식 엔진 \(id) 설치"
        case .engineUsed(let id, _): "음성 인식에 \(id) 선택"
        }
    }
}
