import Authorization

/// The words and phrases of one language that the text rules search for.
struct Vocabulary {
    /// Names of resources, including those of other resources that descriptions are copied from.
    let names: [String]
    /// Words that only express a request.
    let requests: [String]
    /// Words that introduce a benefit.
    let purposes: [String]
    /// Words about the use and the storage of audio.
    let handling: [String]
    let background: [String]
    /// Words for resources that are neither the microphone nor speech recognition.
    let otherResources: [String]
    /// Words about sound and speech.
    let voice: [String]
    let emptyPromises: [String]
    let vagueRetentions: [String]
    /// Whether words are separated by spaces. Otherwise phrases are searched for at any position.
    let separatesWords: Bool
    /// The minimum length of a text in columns.
    static let shortest = 20

    let microphoneExample: String
    let speechExample: String
    let backgroundExample: String
    let purposeExample: String
    let retentionExample: String

    /// By the languages' codes.
    static let all = ["en": english, "ja": japanese, "ko": korean]

    static func of(_ code: String?) -> Vocabulary? { code.flatMap { all[$0] } }

    func example(for resource: Resource?) -> String {
        switch resource {
        case .microphone: microphoneExample
        case .speechRecognition: speechExample
        case nil: purposeExample
        }
    }

    /// The letters and digits of a text after the given words are removed.
    func remainder(of text: String, without words: [String]) -> String {
        let text = text.lowercased()
        if separatesWords {
            let words = Set(words)
            return text.split { !$0.isLetter && !$0.isNumber && $0 != "’" && $0 != "'" }
                .filter { !words.contains(String($0)) }.joined()
        }
        // The longest first, because a shorter one may be a part of it.
        let rest = words.sorted { $0.count > $1.count }.reduce(text) { $0.replacing($1, with: " ") }
        return rest.filter { $0.isLetter || $0.isNumber }
    }

    func contains(_ phrases: [String], in text: String) -> Bool {
        let text = text.lowercased()
        guard separatesWords else { return phrases.contains { text.contains($0) } }
        let padded = " " + text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
        return phrases.contains { padded.contains(" \($0) ") }
    }
}

extension Vocabulary {
    static let english = Vocabulary(
        names: [
            "microphone", "mic", "speech", "recognition", "recogniser", "recognizer", "audio", "voice", "location",
            "camera", "the", "a", "an", "your", "our",
        ],
        requests: [
            "this", "app", "application", "program", "it", "we", "i", "uses", "use", "using", "used", "usage", "access",
            "accesses", "accessing", "need", "needs", "needed", "require", "requires", "required", "is", "be", "to",
            "of", "in", "for", "would", "like", "wants", "want", "permission", "permissions", "please", "allow",
            "grant", "must", "have", "has", "and", "by", "order", "function", "work", "feature", "features", "will",
            "may", "can", "asks",
        ],
        purposes: [
            "to", "so", "for", "when", "while", "whenever", "lets", "let", "because", "into", "until", "which", "where",
            "as you", "what you",
        ],
        handling: [
            "kept", "keeps", "keep", "stored", "stores", "saved", "saves", "sent", "sends", "shared", "uploaded",
            "transmitted", "leave", "leaves", "device", "machine", "computer", "local", "locally", "server", "servers",
            "deleted", "erased", "discarded", "recorded", "cloud",
        ],
        background: [
            "background", "always", "at any time", "even when", "even if", "also when", "also while", "not using",
            "another window", "other windows", "closed", "minimised", "minimized", "not running",
        ],
        otherResources: [
            "location", "locations", "gps", "camera", "photo", "photos", "picture", "pictures", "contacts",
            "address book", "calendar", "bluetooth",
        ],
        voice: [
            "microphone", "mic", "speech", "voice", "audio", "sound", "sounds", "listen", "listens", "listening",
            "hear",
            "hears", "heard", "say", "says", "said", "speak", "speaks", "speaking", "spoken", "talk", "talking",
            "words",
            "dictate", "dictated", "dictates", "dictation", "record", "records", "recorded", "recording", "recordings",
            "transcribe", "transcribes", "transcription", "song", "songs", "music", "sing", "noise",
        ],
        emptyPromises: [
            "improve your experience", "better experience", "enhance your experience", "best experience",
            "improve our service", "improve our services", "provide our service", "provide our services",
            "better service", "various features", "certain features", "some features", "app functionality",
            "app to work", "work properly", "work correctly", "function properly", "all features",
        ],
        vagueRetentions: [
            "as long as needed", "as long as necessary", "as needed", "as required", "for some time", "for a while",
            "a certain time", "a reasonable time", "until no longer needed", "indefinitely",
        ],
        separatesWords: true,
        microphoneExample: "Listens while you hold the key, so that you can dictate a note. The audio stays on this "
            + "machine and is not kept.",
        speechExample: "Turns what you say into the text of your note, on this machine. Nothing is sent to a server.",
        backgroundExample: "Goes on listening in the background, so that your meeting is written down while you use "
            + "another window.",
        purposeExample: "Needs every word for a while, to write down the meeting you are in.",
        retentionExample: "30 days, then it is deleted")

    static let japanese = Vocabulary(
        names: ["マイクロフォン", "マイクロホン", "マイク", "音声認識", "音声", "位置情報", "現在地", "カメラ"],
        requests: [
            "このアプリケーション", "このアプリ", "当アプリ", "本アプリ", "アプリ", "このプログラム", "プログラム", "アクセス権限",
            "アクセス権", "アクセス", "権限", "許可", "必要", "使用", "利用", "要求", "機能", "ために", "ため", "です", "ます",
            "ました", "でした", "します", "する", "して", "しています", "している", "ください", "下さい", "ほしい", "求め", "なります",
            "となり", "あります", "いたし", "こと", "お願い", "が", "を", "に", "は", "の", "へ", "と", "で", "も", "い", "な",
            "り", "この", "し", "て", "く",
        ],
        purposes: [
            "ため", "ように", "たり", "とき", "際", "できます", "できるよう", "ので", "間だけ", "間のみ", "変換し", "書きと",
            "書き起こ",
        ],
        handling: [
            "保存", "送信", "共有", "端末", "デバイス", "機器", "コンピュータ", "サーバー", "サーバ", "削除", "破棄", "外部", "録音",
            "記録", "クラウド", "のみに使用", "だけに使用",
        ],
        background: [
            "バックグラウンド", "使用していない", "使っていない", "起動していない", "閉じてい", "閉じた", "常に", "いつでも",
            "別のウィンドウ", "ほかのウィンドウ", "他のウィンドウ", "裏で",
        ],
        otherResources: [
            "位置情報", "現在地", "現在位置", "あなたの位置", "カメラ", "写真", "アルバム", "連絡先", "アドレス帳", "カレンダー",
        ],
        voice: [
            "マイク", "音", "声", "話", "聞", "聴", "発言", "発話", "口述", "言葉", "喋", "しゃべ", "歌", "読み上げ",
        ],
        emptyPromises: [
            "サービス向上", "サービスの向上", "サービス改善", "サービスの改善", "サービスの提供", "より良い体験", "よりよい体験",
            "より良いサービス", "体験の向上", "利便性の向上", "利便性向上", "各種機能", "さまざまな機能", "様々な機能",
            "正常に動作", "アプリの動作", "快適に",
        ],
        vagueRetentions: ["必要な期間", "必要な間", "必要に応じて", "一定期間", "しばらく", "当面", "無期限", "適切な期間"],
        separatesWords: false,
        microphoneExample: "音声入力のためにマイクを使用します。音声はこの端末でテキストに変換され、保存されません。",
        speechExample: "話した内容をメモのテキストに変換するために音声認識を使用します。サーバーには送信されません。",
        backgroundExample: "別のウィンドウを使っている間も会議を書きとめるために、バックグラウンドでもマイクを使用します。",
        purposeExample: "会議の内容を書きとめるために、一時的にすべての言葉が必要です。",
        retentionExample: "30日後に削除されます")

    static let korean = Vocabulary(
        names: ["마이크로폰", "마이크", "음성 인식", "음성인식", "음성", "위치 정보", "위치정보", "위치", "카메라", "오디오"],
        requests: [
            "이 애플리케이션", "애플리케이션", "이 앱", "우리 앱", "본 앱", "앱", "프로그램", "접근 권한", "액세스", "접근", "권한",
            "사용하려고", "사용해야", "사용", "이용", "필요", "허용", "요청", "기능", "위해서", "위해", "위한", "합니다", "해요",
            "했습니다", "됩니다", "입니다", "있어야", "있습니다", "하려면", "하고", "주세요", "주십시오", "싶습니다", "대한", "에서",
            "으로", "을", "를", "이", "가", "은", "는", "에", "의", "도", "로", "와", "과", "해", "할", "하", "수", "한", "함",
        ],
        purposes: [
            "위해", "위한", "때 ", "때만", "때에", "동안", "도록", "려고", "려면", "수 있", "고자", "변환", "바꾸", "바꿔", "받아쓰",
        ],
        handling: [
            "저장", "전송", "보내", "공유", "기기", "장치", "컴퓨터", "서버", "삭제", "지워", "보관", "외부", "녹음", "클라우드",
            "에만 사용",
        ],
        background: [
            "백그라운드", "사용하지 않을", "사용하지 않는", "쓰지 않을", "사용 중이 아닐", "실행 중이 아닐", "닫혀", "닫은", "꺼져", "항상",
            "언제든", "다른 창",
        ],
        otherResources: ["위치", "카메라", "사진", "앨범", "연락처", "주소록", "캘린더"],
        voice: ["마이크", "음성", "음악", "소리", "말한", "말하", "말을", "말로", "녹음", "받아쓰", "통화", "대화", "듣", "들어", "노래"],
        emptyPromises: [
            "서비스 향상", "서비스 개선", "서비스 제공", "서비스를 제공", "더 나은 경험", "더 나은 서비스", "더 좋은 경험", "다양한 기능",
            "편의를 위해", "원활한", "정상적으로", "앱 기능을 위해", "앱의 기능을 위해",
        ],
        vagueRetentions: ["필요한 기간", "필요한 동안", "필요에 따라", "일정 기간", "당분간", "무기한", "적절한 기간"],
        separatesWords: false,
        microphoneExample: "말한 내용을 받아쓰기 위해 마이크를 사용합니다. 소리는 이 기기에서 글로 바뀌고 저장되지 않습니다.",
        speechExample: "말한 내용을 메모의 글로 바꾸기 위해 음성 인식을 사용합니다. 서버로 전송되지 않습니다.",
        backgroundExample: "다른 창을 쓰는 동안에도 회의를 받아쓰기 위해 백그라운드에서도 마이크를 사용합니다.",
        purposeExample: "회의 내용을 받아쓰기 위해 잠시 모든 말이 필요합니다.",
        retentionExample: "30일 뒤에 삭제됩니다")
}
