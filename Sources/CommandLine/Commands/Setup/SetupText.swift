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
    case machineStarts
    case userStarts
    case noUnits
    case enableService
    case engineUsed(String)
    case engineConfigured(String)
    case downloadEngine(String)
    case useEngine(String)
    case engineChosen(String)
    case noCompletions(String)
    case completionsPresent(String, String)
    case writeCompletions(String, String)
    case completionsWritten
    case completionsOfZsh(String)
    case bindIn(String, String)
    case bindInSettings
    case dictationKey
    case noKey
    case whichKey
    case keyBound(String)
    case noDesktop
    case startAgent
    case agentStarts
    case nothingChanged
    case changed
    case change(SetupRecord.Change)
    case toUndo
    case toDictate
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
        case .nothingHeard: "Nothing was heard. Choose another one: voicegate setup microphone"
        case .tooLoud: "It is too loud: lower its gain, for example with alsamixer."
        case .goodLevel(let decibels): "Its loudest was \(decibels) dB, which is good."
        case .quiet(let decibels):
            "Its loudest was \(decibels) dB, which is quiet: raise its gain, for example with alsamixer."
        case .machineStarts: "The machine's systemd starts it. Nothing is to be done."
        case .userStarts: "Your systemd starts it already."
        case .noUnits:
            "voicegate starts it when a command needs it. For systemd, an administrator installs the package, or runs sudo make install; then: voicegate service enable"
        case .enableService: "Let systemd start the service, also after a login?"
        case .engineUsed(let id): "\(id) recognises speech already."
        case .engineConfigured(let engine): "config.yaml has engine: \(engine), which decides. It stays."
        case .downloadEngine(let id): "PocketSphinx is built in. Download \(id), which makes fewer errors?"
        case .useEngine(let id): "Use \(id), which is installed?"
        case .engineChosen(let id): "\(id) recognises speech from now on."
        case .noCompletions(let shell):
            "There are completions for bash, zsh and fish, not for “\(shell)”. To name one: --shell NAME"
        case .completionsPresent(let shell, let path): "\(shell) has them already: \(path)"
        case .writeCompletions(let shell, let path): "Write the completions of \(shell) to \(path)?"
        case .completionsWritten: "A new shell has them."
        case .completionsOfZsh(let folder):
            "zsh finds them by a line in ~/.zshrc, before compinit: fpath=(\(folder) $fpath)"
        case .bindIn(let place, let line): "In its configuration (\(place)): \(line)"
        case .bindInSettings: "In your desktop's settings, bind a key to: voicegate control toggle --type"
        case .dictationKey: "Documentation/Delivery.md has the script dictation-key, which other window managers need."
        case .noKey: "No key was chosen. To choose one: --hot-key '<Super>d'"
        case .whichKey: "A key for dictation, as GNOME writes it, or s to skip [<Super>d]:"
        case .keyBound(let keys): "\(keys) begins and ends dictation into the window with the keyboard focus."
        case .noDesktop:
            "There is no desktop here. In a terminal, questions of other programs are shown by: voicegate agent"
        case .startAgent: "Start the agent with the desktop? It shows the questions of other programs."
        case .agentStarts: "It starts with your next login. Now: voicegate agent --desktop &"
        case .nothingChanged: "Nothing was changed."
        case .changed: "Changed:"
        case .change(let change): change.description
        case .toUndo: "To take it back: voicegate setup --undo"
        case .toDictate: "To dictate: voicegate dictate"
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
        case .machineStarts: "このコンピュータのsystemdが開始します。必要な操作はありません。"
        case .userStarts: "すでにあなたのsystemdが開始します。"
        case .noUnits:
            "必要なときにvoicegateが開始します。systemdで開始するには、管理者がパッケージをインストールするか sudo make install を実行した後で：voicegate service enable"
        case .enableService: "ログイン後も、systemdがサービスを開始するようにしますか。"
        case .engineUsed(let id): "すでに \(id) が音声を認識します。"
        case .engineConfigured(let engine): "config.yaml の engine: \(engine) が優先されるため、変更しません。"
        case .downloadEngine(let id): "PocketSphinxが組み込まれています。誤りの少ない \(id) をダウンロードしますか。"
        case .useEngine(let id): "インストール済みの \(id) を使いますか。"
        case .engineChosen(let id): "今後は \(id) が音声を認識します。"
        case .noCompletions(let shell): "補完はbash、zsh、fish用で、「\(shell)」用はありません。指定するには：--shell NAME"
        case .completionsPresent(let shell, let path): "\(shell) 用はすでにあります：\(path)"
        case .writeCompletions(let shell, let path): "\(shell) の補完を \(path) に書き込みますか。"
        case .completionsWritten: "新しいシェルから使えます。"
        case .completionsOfZsh(let folder): "zshでは ~/.zshrc のcompinitより前に次の行が必要です：fpath=(\(folder) $fpath)"
        case .bindIn(let place, let line): "設定ファイル（\(place)）に：\(line)"
        case .bindInSettings: "デスクトップの設定で、キーに次のコマンドを割り当ててください：voicegate control toggle --type"
        case .dictationKey: "ほかのウィンドウマネージャーに必要なスクリプト dictation-key は Documentation/Delivery.md にあります。"
        case .noKey: "キーは選ばれていません。選ぶには：--hot-key '<Super>d'"
        case .whichKey: "音声入力のキー（GNOMEの書き方で）。sでスキップします [<Super>d]："
        case .keyBound(let keys): "\(keys) で、入力中のウィンドウへの音声入力を開始、終了します。"
        case .noDesktop: "ここにはデスクトップがありません。端末でほかのプログラムの質問を表示するには：voicegate agent"
        case .startAgent: "デスクトップと共にエージェントを開始しますか。ほかのプログラムの質問を表示します。"
        case .agentStarts: "次のログインから開始します。今すぐ開始するには：voicegate agent --desktop &"
        case .nothingChanged: "何も変更していません。"
        case .changed: "変更した内容："
        case .change(let change): Self.japanese(change)
        case .toUndo: "元に戻すには：voicegate setup --undo"
        case .toDictate: "音声入力を始めるには：voicegate dictate"
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
        case .machineStarts: "이 컴퓨터의 systemd가 시작합니다. 할 일이 없습니다."
        case .userStarts: "이미 사용자의 systemd가 시작합니다."
        case .noUnits:
            "필요할 때 voicegate가 시작합니다. systemd로 시작하려면 관리자가 패키지를 설치하거나 sudo make install을 실행한 뒤: voicegate service enable"
        case .enableService: "로그인한 뒤에도 systemd가 서비스를 시작하게 하겠습니까?"
        case .engineUsed(let id): "이미 \(id) 엔진이 음성을 인식합니다."
        case .engineConfigured(let engine): "config.yaml의 engine: \(engine) 설정이 우선하므로 그대로 둡니다."
        case .downloadEngine(let id): "PocketSphinx가 들어 있습니다. 오류가 더 적은 \(id) 엔진을 내려받겠습니까?"
        case .useEngine(let id): "설치되어 있는 \(id) 엔진을 쓰겠습니까?"
        case .engineChosen(let id): "이제부터 \(id) 엔진이 음성을 인식합니다."
        case .noCompletions(let shell): "자동 완성은 bash, zsh, fish용이며 ‘\(shell)’용은 없습니다. 지정하려면: --shell NAME"
        case .completionsPresent(let shell, let path): "\(shell)용이 이미 있습니다: \(path)"
        case .writeCompletions(let shell, let path): "\(shell) 자동 완성을 \(path)에 쓰겠습니까?"
        case .completionsWritten: "새 셸부터 쓸 수 있습니다."
        case .completionsOfZsh(let folder): "zsh에서는 ~/.zshrc의 compinit 앞에 이 줄이 필요합니다: fpath=(\(folder) $fpath)"
        case .bindIn(let place, let line): "설정 파일(\(place))에: \(line)"
        case .bindInSettings: "데스크톱 설정에서 키에 이 명령을 지정하십시오: voicegate control toggle --type"
        case .dictationKey: "다른 창 관리자에 필요한 dictation-key 스크립트는 Documentation/Delivery.md에 있습니다."
        case .noKey: "키를 고르지 않았습니다. 고르려면: --hot-key '<Super>d'"
        case .whichKey: "받아쓰기에 쓸 키(GNOME 표기). s로 건너뜁니다 [<Super>d]:"
        case .keyBound(let keys): "\(keys) 키로 입력 중인 창에 받아쓰기를 시작하고 끝냅니다."
        case .noDesktop: "여기에는 데스크톱이 없습니다. 터미널에서 다른 프로그램의 질문을 보려면: voicegate agent"
        case .startAgent: "데스크톱과 함께 에이전트를 시작하겠습니까? 다른 프로그램의 질문을 보여 줍니다."
        case .agentStarts: "다음 로그인부터 시작합니다. 지금 시작하려면: voicegate agent --desktop &"
        case .nothingChanged: "바뀐 것이 없습니다."
        case .changed: "바뀐 것:"
        case .change(let change): Self.korean(change)
        case .toUndo: "되돌리려면: voicegate setup --undo"
        case .toDictate: "받아쓰기를 시작하려면: voicegate dictate"
        case .nothingToUndo: "되돌릴 것이 없습니다."
        case .undone(let change): "되돌렸습니다: \(Self.korean(change))"
        case .left(let change): "그 뒤 바뀌었으므로 그대로 두었습니다: \(Self.korean(change))"
        }
    }

    private static func japanese(_ step: SetupStep) -> String {
        switch step {
        case .microphone: "マイク"
        case .service: "サービス"
        case .engine: "認識エンジン"
        case .completions: "シェルの補完"
        case .hotKey: "ホットキー"
        case .agent: "エージェント"
        }
    }

    private static func korean(_ step: SetupStep) -> String {
        switch step {
        case .microphone: "마이크"
        case .service: "서비스"
        case .engine: "인식 엔진"
        case .completions: "셸 자동 완성"
        case .hotKey: "단축키"
        case .agent: "에이전트"
        }
    }

    private static func japanese(_ change: SetupRecord.Change) -> String {
        switch change {
        case .file(let path, _, let previous): previous == nil ? "\(path) を作成" : "\(path) を変更"
        case .serviceEnabled: "systemdがサービスを開始するように設定"
        case .engineInstalled(let id): "認識エンジン \(id) をインストール"
        case .engineUsed(let id, _): "音声認識に \(id) を選択"
        case .hotKey(let keys): "\(keys) に割り当て：voicegate control toggle --type"
        }
    }

    private static func korean(_ change: SetupRecord.Change) -> String {
        switch change {
        case .file(let path, _, let previous): previous == nil ? "\(path) 작성" : "\(path) 변경"
        case .serviceEnabled: "systemd가 서비스를 시작하도록 설정"
        case .engineInstalled(let id): "인식 엔진 \(id) 설치"
        case .engineUsed(let id, _): "음성 인식에 \(id) 선택"
        case .hotKey(let keys): "\(keys) 키에 지정: voicegate control toggle --type"
        }
    }
}
