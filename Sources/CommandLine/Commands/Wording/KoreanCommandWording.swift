import Authorization
import Foundation
import SocketAPI
import Speech

struct KoreanCommandWording: CommandWording {
    var speechRecognition: String { "음성 인식" }
    var microphone: String { "마이크" }

    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String {
        switch status {
        case .authorized: "허용되었습니다\(extent)"
        case .denied: "거부되었습니다. 허용하려면: \(settings) --allow \(resource.rawValue)"
        case .restricted: "관리자의 정책으로 제한되었습니다"
        case .notDetermined: "아직 정하지 않았습니다. 지금 정하려면: voicegate request \(resource.rawValue)"
        }
    }

    func extent(_ grant: AuthorizationReply.Grant) -> String {
        let scope =
            switch grant.scope {
            case .once: "이번 사용에만"
            case .whileInUse: "사용 중에만"
            case .always: "항상"
            }
        return grant.fidelity == .reduced ? scope + ", 등록한 문구만" : scope
    }

    func callAsFunction(_ text: CommandText) -> String {
        switch text {
        case .problem(let text): "문제: \(text)"
        case .nothingDecided: "아직 정한 것이 없습니다."
        case .toChange: "허용을 바꾸려면: voicegate settings"
        case .toAllow(let command): "허용하려면: \(command)"
        case .answerNotGiven(let reason): "답을 전하지 못했습니다: \(reason)"
        case .startingService: "VoiceGate 서비스를 시작합니다."
        case .exporting(let count, let size, let percent): "내보내는 중: \(count)건, 전체 \(size)건의 \(percent)%까지 읽음"
        case .recognizedBy(let engine): "음성은 이 기기의 \(engine)에서 인식합니다."
        case .rewritable(let count, let size):
            "로그의 기록 \(size)건 중 마지막 \(count)건은 소유자가 알려지지 않게 고쳐 쓸 수 있습니다: voicegate doctor"
        case .logBeingVerified: "동의 로그를 검증하고 있습니다. 권한은 검증이 끝나면 적용됩니다."
        case .everythingMuted(let mute):
            (mute?.scope == .everyone ? "모든 사용자에 대해 " : "") + (mute?.program.map { "\($0)에 의해 " } ?? "")
                + "모두 음소거되어 있습니다. 해제하려면: \(MutedBy.command(ending: mute))"
        case .usedSince(let time): "\(time)부터:"
        case .nothingListens: "지금은 아무것도 듣지 않습니다."
        case .listening(let device): "\(device) 장치로 듣고 있습니다. Ctrl-C를 누르면 끝납니다."
        case .notListening: "지금은 듣지 않습니다."
        case .pausedInBackground: "백그라운드에서는 듣지 않으며, 말한 내용은 버려집니다. fg 명령으로 돌아옵니다."
        case .listeningAgain(let device): "\(device) 장치로 다시 듣고 있습니다."
        case .waiting(let device): "\(device) 장치의 연결이 끊어졌습니다. 돌아올 때까지 기다립니다. Ctrl-C를 누르면 끝납니다."
        case .lostSound(let milliseconds): "컴퓨터가 너무 바빠 \(milliseconds)밀리초의 소리를 잃었습니다."
        case .tooNoisy(let decibels):
            "소음이 커서 글이 정확하지 않을 수 있습니다. 목소리와 소음의 차이가 \(decibels) dB인데 20 dB쯤 필요합니다. 마이크에 더 가까이 가세요."
        }
    }

    func reset(_ client: String?, _ resource: Resource?) -> String {
        let what =
            switch resource {
            case .speechRecognition: "음성 인식을"
            case .microphone: "마이크를"
            case nil: "음성 인식과 마이크를"
            }
        return "\(client ?? "모든") 프로그램이 \(what) 사용해도 되는지 다음에 다시 묻습니다."
    }

    func transcribing(
        _ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?
    ) -> String {
        let progress = percent.map { "\($0)%" } ?? "\(done)까지 완료"
        return (part.map { "\($0.count)개 중 \($0.number)번째 " } ?? "") + "\(file): \(progress)"
            + (left.map { ", 남은 시간 \($0)" } ?? "")
    }

    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String {
        var name = "\(session.name)(\(session.client), 프로세스 \(session.processIdentifier))"
        if let phrases = session.quotedPhrases {
            name = "VoiceGate(\(session.name), \(session.client)을(를) 위해 “\(phrases)” 대기)"
        }
        if session.isOfPerson { name = "VoiceGate(\(session.name), \(session.client)을(를) 시작하기 위해 대기)" }
        let device = session.device ?? "마이크"
        let activity =
            switch session.activity {
            case .listening: "\(device) 장치로 듣고 있습니다"
            case .paused: "\(device) 장치로 듣기를 일시 정지했습니다"
            case .held: "끝났지만 \(device) 장치가 닫히지 않습니다"
            case .transcribing: "파일을 받아쓰고 있습니다"
            case .listened: "\(device) 장치로 들었습니다"
            case .transcribed: "파일을 받아썼습니다"
            }
        if let endedAt = session.endedAt {
            return "\(name): \(activity)(\(time(endedAt))까지\(Self.text(session.sharing)))"
        }
        let place = session.presence == .background ? ", 백그라운드" : ""
        let recognizer = session.recognizer.map { ", 인식: \($0)" } ?? ""
        return "\(name): \(activity)(\(time(session.startedAt))부터\(place)\(recognizer)\(Self.text(session.sharing)))"
    }

    private static func text(_ sharing: Sharing?) -> String {
        switch sharing {
        case .verified: ", 네트워크 없음(확인됨)"
        case .declared: ", 누구와도 공유하지 않는다고 밝힘"
        case .shared, .undeclared, nil: ""
        }
    }

    func sentence(
        for ending: DictationEnding, on device: String, reason: String?, settings: String, mute: MutedBy?,
        silence: Double?
    ) -> String? {
        switch ending {
        case .ended: reason
        case .silence: (silence.map { "무음이 \($0.formatted())초 동안 " } ?? "무음이 ") + "이어져 끝났습니다."
        case .cancelled: "중단했습니다. 다 쓰지 못한 말은 버렸습니다."
        case .revoked: "허용이 취소되어 끝났습니다. 다시 허용하려면: \(settings)"
        case .restricted: "관리자의 정책으로 금지되어 끝났습니다."
        case .muted: "모두 음소거되어 끝났습니다. 해제하려면: \(MutedBy.command(ending: mute))"
        case .background: "한 번만 허용된 권한이 백그라운드에서 끝났습니다. 다시 시작하면 다시 묻습니다."
        case .deviceLost:
            "\(reason ?? "\(device) 장치의 연결이 끊어졌습니다.") 연결한 뒤 다시 시작하세요. --wait-for-device를 붙이면 기다립니다."
        case .failed:
            reason ?? "인식기 또는 \(device) 장치에 문제가 생겼습니다. 서비스의 로그를 확인한 뒤 다시 시도하세요."
        case .disconnected: "서비스와의 연결이 끊어졌습니다. 다시 시도하세요."
        case .clientStalled: reason ?? "이 명령이 이벤트를 제때 읽지 않았습니다. 다시 시작하세요."
        case .serviceStalled: reason ?? "인식기가 제때 응답하지 않았습니다. 다시 시도하세요."
        case .serviceStopped: reason ?? "서비스가 중지되었습니다."
        }
    }
}
