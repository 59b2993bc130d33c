import Foundation

/// Names of clients are followed by one of our nouns, because a particle depends on the sound before it.
struct KoreanWording: Wording {
    func name(of resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "음성 인식"
        case .microphone: "마이크"
        }
    }

    /// The resource as the object of a sentence.
    func object(_ resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "음성 인식을"
        case .microphone: "마이크를"
        }
    }

    func growth(_ bytes: Int64) -> String {
        bytes == 0 ? "크기는 같음" : "\(bytes.magnitude)바이트 \(bytes > 0 ? "늘어남" : "줄어듦")"
    }

    func title(_ question: Question, client: String, resources: [Resource]) -> String {
        let name = "“\(client)” 프로그램"
        // Only speech recognition precedes another.
        let resource =
            resources.dropLast().map { self.name(of: $0) + "과 " }.joined() + resources.suffix(1).map(object).joined()
        return switch question {
        case .firstUse:
            "\(name)이 \(resource) 사용하려고 합니다."
        case .identityChanged(let previous, let current):
            "\(name)이 \(resource) 사용하도록 허용한 뒤에 바뀌었습니다. 이전 프로그램: "
                + "\(path(of: previous) ?? "알 수 없음") (\(previous.sha256.prefix(8))), 현재 프로그램: "
                + "\(path(of: current) ?? "알 수 없음") (\(current.sha256.prefix(8)))"
                + (previous.growth(to: current).map { ", \(growth($0))" } ?? "")
        case .termsWidened:
            "\(name)이 \(resource) 사용하도록 허용했을 때보다 더 많은 내용을 알리고 있습니다."
        case .upgradeToAlways:
            "\(name)을 사용하지 않을 때에도 \(resource) 사용하도록 허용하시겠습니까?"
        case .review:
            "\(name)은 언제든지 \(resource) 사용할 수 있습니다. 그대로 두시겠습니까?"
        case .temporaryFullFidelity:
            "\(name)이 등록된 문구만이 아니라 이번 세션의 모든 말을 받으려고 합니다."
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "“\(client)” 프로그램의 \(name(of: resource)) 사용" }

    var collected: String { "수집" }
    var purpose: String { "목적" }
    var kept: String { "보관" }
    var recognised: String { "인식" }
    func recognised(onThisMachineBy engine: String) -> String { "이 기기의 \(engine)" }
    var shared: String { "공유" }

    func name(of kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "마이크 소리"
        case .transcript: "인식된 텍스트"
        case .recording: "녹음"
        case .microphoneProfile: "마이크 특성 데이터"
        }
    }

    var program: String { "프로그램" }
    var programIsUnknown: String { "알 수 없음(끝났거나 확인할 수 없음)" }
    func program(_ path: String, from origin: String?) -> String { "\(path)(\(origin ?? "패키지 아님"))" }
    func package(_ name: String) -> String { "\(name) 패키지" }
    func mayRunOtherCode(_ program: String) -> String { "\(program), 다른 코드를 실행할 수 있음" }
    var asAbove: String { "나머지는 위와 같습니다." }
    func hint(keys: [String]) -> String { "\(keys.joined(separator: ", ")) 중 하나를 누르세요." }

    var reason: String { "이유" }
    var phrases: String { "문구" }
    func list(of count: Int, phrases quoted: String) -> String { "\(count)개: \(quoted)" }
    func phrase(_ phrase: String) -> String { "‘\(phrase)’" }
    func more(_ count: Int) -> String { "…\(count)줄 더 있음" }
    func more(_ count: Int, by key: Character) -> String { "…\(count)줄 더 있음: \(key) 키를 누르세요" }
    var everything: String { "모두 보기" }
    func page(_ number: Int, of count: Int) -> String {
        "\(count)쪽 중 \(number)쪽. 계속하려면 아무 키나, 질문으로 돌아가려면 q를 누르세요."
    }

    var new: String { "허용한 뒤 새로운 점" }
    var inBackground: String { "백그라운드" }

    func text(of addition: Addition) -> String {
        switch addition {
        case .purpose: "이유 또는 목적이 바뀌었습니다"
        case .kinds(let kinds): "수집 대상: \(kinds.map(name(of:)).joined(separator: listSeparator))"
        case .retention(let text): "보관 기간: \(text)"
        case .kept(let times):
            times.inOrder.map { "VoiceGate가 \(object($0.kind)) \(retention($0.time)) 보관합니다" }.joined(separator: "; ")
        case .recipients(let names): sharedWith(names.joined(separator: listSeparator))
        case .sharingNotDeclared: "공유 대상을 더 이상 밝히지 않습니다"
        case .background(let mode): text(of: mode)
        case .launchCommand(let command): start(command)
        case .collector(let collector): recordsShared(with: collector)
        case .phrases(let phrases): "더 받는 문구: \(list(ofPhrases: phrases))"
        case .engine(let name): "소리를 받는 \(name)에서 인식합니다"
        }
    }

    func text(of mode: BackgroundMode) -> String {
        switch mode {
        case .audio: "사용을 마친 뒤에도 계속 듣습니다"
        }
    }

    func start(_ command: String) -> String { "항상 허용하면 소리나 문구로 시작될 수 있습니다: \(command)" }

    var listSeparator: String { ", " }
    var nothingIsKept: String { "아무것도 보관하지 않습니다" }
    var sharedWithNobody: String { "누구와도 공유하지 않습니다" }
    func sharedWith(_ recipients: String) -> String { "공유 대상: \(recipients)" }
    func recordsShared(with collector: RecordCollector) -> String {
        let records =
            switch collector.send {
            case .proofs: "동의 기록의 시각과 종류"
            case .records: "동의 기록"
            }
        return "\(records) 공유 대상: \(collector.name) (\(collector.purpose))"
    }
    var sharingNotDeclared: String { "이 프로그램이 밝히지 않았습니다" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program) (\(client) 경유)" }

    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "사용 중에만 허용 유지"
        case (.always, .upgrade): "항상 허용으로 변경"
        case (.always, .review): "항상 허용 유지"
        case (.whileInUse, .review): "사용 중에만 허용으로 변경"
        case (.once, .temporary): "이번 세션만 허용"
        case (.later, .temporary): "지금은 안 함"
        case (.whileInUse, _): "사용 중에만 허용"
        case (.once, _): "한 번만 허용"
        case (.always, _): "항상 허용"
        case (.deny, _): "허용 안 함"
        case (.later, _): "나중에"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "사용 중에만 허용했습니다."
        case .once: "한 번만 허용했습니다."
        case .always: "항상 허용했습니다."
        case .deny: "허용하지 않았습니다."
        case .later: "지금은 허용하지 않았습니다. 다음에 다시 묻습니다."
        }
    }

    func text(of act: ConfirmedAct) -> String {
        let confirms = "본인이 하는 일임을 암호로 확인합니다: "
        switch act {
        case .allow(let allowing):
            let resources = allowing.resources
            let object =
                resources.dropLast().map { name(of: $0) + "과 " }.joined() + resources.suffix(1).map(object).joined()
            return confirms + "“\(allowing.name)” 프로그램(\(allowing.client))이 \(object) 사용하도록 허용합니다"
                + "(\(name(of: allowing))). 프로그램: \(allowing.program)"
        case .install(let client): return confirms + "\(client)의 매니페스트를 설치합니다. 아직 아무것도 허용되지 않습니다."
        case .uninstall(let client): return confirms + "\(client) 프로그램을 제거하고 권한과 보관된 데이터를 지웁니다."
        case .unmute(.user): return confirms + "내 음소거를 끝냅니다. 허용된 내 프로그램이 다시 들을 수 있습니다."
        case .unmute(.everyone):
            return confirms + "모든 사용자의 음소거를 끝냅니다. 모든 사용자의 허용된 프로그램이 다시 들을 수 있습니다."
        case .eraseRecords(let scope): return confirms + "다음 기록과 보관된 데이터를 지웁니다: \(narrowing(scope))"
        case .eraseKept(let client, let items):
            return confirms + (client.map { "\($0) 프로그램의 " } ?? "") + "\(keptItems(items)) 지웁니다."
        }
    }

    private func narrowing(_ scope: RightsScope) -> String {
        [
            scope.client.map { "\($0)" }, scope.session.map { "세션 \($0)" }, scope.end.map { "\($0) 이전" },
        ].compactMap { $0 }.joined(separator: listSeparator)
    }

    private func keptItems(_ items: [String]?) -> String {
        items.map { "보관된 데이터 \($0.count)개(\(ConfirmedAct.names(of: $0)))를" } ?? "보관된 데이터를 모두"
    }

    var noAnswer: String { "답이 없어 아무것도 허용하지 않습니다." }

    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "모든 말"
        case .reduced: "정해진 문구만"
        }
    }

    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        "VoiceGate가 \(object(kind)) 암호화하여 이 컴퓨터에 \(retention(time))\(time.milliseconds == nil ? "" : " 동안") 보관합니다."
    }

    var untilWithdrawn: String { "허용을 취소하거나 삭제할 때까지" }

    /// The kind as the object of a sentence.
    private func object(_ kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "마이크 소리를"
        case .transcript: "인식된 텍스트를"
        case .recording: "녹음을"
        case .microphoneProfile: "마이크 특성 데이터를"
        }
    }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "년"
            case .months: "개월"
            case .weeks: "주"
            case .days: "일"
            case .hours: "시간"
            case .minutes: "분"
            case .seconds: "초"
            }
        return "\(count)\(word)"
    }

    /// For a program that runs the code of others.
    private var lasting: String {
        "계속 허용하려면 명령을 직접 만든 스크립트에 적고 다음을 실행하세요: voicegate allow SCRIPT"
    }

    func refusal(_ reason: RefusalReason, client: String, resource: Resource, command: String) -> String {
        let (client, resourceObject) = ("\(client) 프로그램", object(resource))
        switch reason {
        case .restricted(let reason):
            return "이 컴퓨터 관리자의 정책에 따라 \(client)은 \(resourceObject) 사용할 수 없습니다" + (reason.map { ": \($0)" } ?? ".")
        case .muted(let scope, let program):
            return (scope == .everyone ? "모든 사용자에 대해 " : "") + (program.map { "\($0)에 의해 " } ?? "")
                + "모두 음소거되어 있어 \(client)은 \(resourceObject) 사용할 수 없습니다. 해제하려면: \(command)"
        case .denied(let day):
            let date = "\(day.year ?? 0)년 \(day.month ?? 0)월 \(day.day ?? 0)일"
            return "\(client)이 \(resourceObject) 사용하도록 허용하지 않으셨습니다(\(date)). 바꾸려면: \(command)"
        case .untrusted(let sentence):
            return sentence
        case .identityChanged(let program, let bytes):
            return "\(client)이 \(resourceObject) 사용하도록 허용한 뒤에 \(program) 파일이 바뀌었습니다"
                + "\(bytes.map { "(\(growth($0)))" } ?? ""). 지금의 것을 허용하려면: \(command)"
        case .termsWidened:
            return "\(client)이 \(resourceObject) 사용하도록 허용했을 때보다 더 많은 내용을 알리고 있습니다. "
                + "터미널에서 사용할 때 묻습니다. 새로운 점을 보고 지금 정하려면: \(command)"
        case .notDetermined:
            return "\(client)이 \(resourceObject) 사용하는 것은 아직 허용되지 않았습니다. "
                + "터미널에서 사용할 때 묻습니다. " + (command.isEmpty ? lasting : "지금 정하려면: \(command)")
        case .notAskedInBackground:
            return "\(client)이 백그라운드에 있어 \(resourceObject) 사용해도 되는지 묻지 않습니다. "
                + "터미널이나 데스크톱의 포그라운드에서 실행하세요."
        case .notInBackground:
            return "\(client)은 백그라운드에 있어 \(resourceObject) 사용할 수 없습니다. "
                + "포그라운드로 가져오거나 다음 명령으로 항상 허용하세요: \(command)"
        case .notAnUpgrade:
            return "‘항상 허용’은 ‘사용 중에만 허용’에서 바꾸는 것인데, \(client)은 아직 허용되지 않았습니다. 먼저: \(command)"
        case .reducedFidelity:
            return "\(client)은 매니페스트에 등록된 문구(VoiceGatePhrases)만 받을 수 있는데, 등록된 문구가 없습니다. "
                + "추가하거나 다음 명령으로 모든 말을 허용하세요: \(command)"
        case .alreadyFull:
            return "\(client)은 이미 모든 말을 받을 수 있습니다. 세션을 시작하세요."
        case .missingPurpose(let key):
            return "\(client)의 매니페스트에 목적 ‘\(key)’의 설명이 없어 이유를 알릴 수 없습니다. \(Manifest.purposesKey) 키에 추가하세요."
        case .missingBackgroundMode:
            return "\(client)의 매니페스트에 백그라운드에서 하는 일이 없어 항상 허용할 수 없습니다. "
                + "UIBackgroundModes 키에 audio를 더하거나 VoiceGateLaunchCommand 키를 추가하세요."
        case .noManifest(let path):
            return "이 프로그램의 올바른 매니페스트가 없습니다. 오류는 voicegate status로 확인할 수 있습니다. "
                + (command.isEmpty
                    ? "CFBundleExecutable 및 \(resource.usageDescriptionKey) 키가 있는 "
                        + "Info.plist 파일을 클라이언트 폴더(\(path))에 두세요." : "만들려면: \(command)")
        case .missingUsageDescription:
            return "\(client)의 매니페스트에 \(resource.usageDescriptionKey) 키가 없어 사용하는 이유를 알릴 수 없습니다. 추가하세요."
        case .noAnswer:
            return "\(client)이 \(resourceObject) 사용해도 되는지 아무도 답하지 않아 허용되지 않습니다. "
                + "터미널에서, 필요하면 voicegate agent로 답하세요. "
                + (command.isEmpty ? lasting : "명령으로 정하려면: \(command)")
        case .tooManyRequests:
            return "답을 기다리는 요청이 너무 많습니다. 먼저 그 요청에 답한 뒤 다시 시도하세요."
        case .tooManyPrompts(let seconds):
            return "\(client)이 답을 받지 못한 채 여러 번 물어, \(seconds)초가 지나기 전에는 묻지 않습니다. "
                + (command.isEmpty ? "그 뒤에 다시 시도하세요. \(lasting)" : "그 뒤에 다시 시도하거나, 지금 정하려면: \(command)")
        case .tooManyRecords(let seconds):
            return "사용자의 프로그램에 대한 기록이 한도에 이르렀습니다. 기록되지 않는 것은 허용되지 않습니다. "
                + "\(seconds)초 뒤에 다시 시도하세요."
        case .recordingFailed:
            return "동의 기록을 쓸 수 없었습니다. 기록되지 않는 것은 허용되지 않습니다. "
                + "서비스의 로그를 확인하세요. 디스크가 가득 찼을 수 있습니다."
        }
    }
}
