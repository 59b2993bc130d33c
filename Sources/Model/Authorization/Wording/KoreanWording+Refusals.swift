import Foundation

extension KoreanWording {
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String {
        "이 컴퓨터 관리자의 정책에 따라 \(client) 프로그램은 \(object(resource)) 사용할 수 없습니다"
            + (reason.map { ": \($0)" } ?? ".")
    }

    func muted(_ client: String, _ resource: Resource, command: String) -> String {
        "모두 음소거되어 있어 \(client) 프로그램은 \(object(resource)) 사용할 수 없습니다. 해제하려면: \(command)"
    }

    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String {
        let date = "\(day.year ?? 0)년 \(day.month ?? 0)월 \(day.day ?? 0)일"
        return "\(client) 프로그램이 \(object(resource)) 사용하도록 허용하지 않으셨습니다(\(date)). 바꾸려면: \(command)"
    }

    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String {
        "\(client) 프로그램이 \(object(resource)) 사용하도록 허용한 뒤에 \(program) 파일이 바뀌었습니다. "
            + "지금의 것을 허용하려면: \(command)"
    }

    func inUseOnce(_ client: String, _ resource: Resource) -> String {
        "\(client) 프로그램은 \(object(resource)) 한 세션에서만 사용하도록 허용되었고, 그 세션이 아직 진행 중입니다. "
            + "끝낸 뒤에 다시 시도하세요."
    }

    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) 프로그램이 \(object(resource)) 사용하는 것은 아직 허용되지 않았습니다. "
            + "터미널에서 사용할 때 묻습니다. 지금 정하려면: \(command)"
    }

    func notAskedInBackground(_ client: String, _ resource: Resource) -> String {
        "\(client) 프로그램이 백그라운드에 있어 \(object(resource)) 사용해도 되는지 묻지 않습니다. "
            + "터미널이나 데스크톱의 포그라운드에서 실행하세요."
    }

    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) 프로그램이 백그라운드에서 \(object(resource)) 사용하려고 하지만 아직 확인하지 않으셨습니다. "
            + "지금 정하려면: \(command)"
    }

    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) 프로그램은 사용 중에만 \(object(resource)) 사용할 수 있는데 지금 백그라운드에 있습니다. "
            + "포그라운드로 가져오거나 다음 명령으로 허용하세요: \(command)"
    }

    func notAnUpgrade(_ client: String, command: String) -> String {
        "‘항상 허용’은 ‘사용 중에만 허용’에서 바꾸는 것인데, \(client) 프로그램은 아직 허용되지 않았습니다. 먼저: \(command)"
    }

    func alreadyFull(_ client: String) -> String {
        "\(client) 프로그램은 이미 모든 말을 받을 수 있습니다. 세션을 시작하세요."
    }

    func missingPurpose(_ client: String, purposeKey: String) -> String {
        "\(client) 프로그램의 매니페스트에 목적 ‘\(purposeKey)’의 설명이 없어 이유를 알릴 수 없습니다. "
            + "\(Manifest.purposesKey) 키에 추가하세요."
    }

    func noManifest(key: String, place: String) -> String {
        "이 프로그램의 매니페스트가 없습니다. CFBundleExecutable 및 \(key) 키가 있는 Info.plist 파일을 "
            + "클라이언트 폴더(\(place))에 두세요."
    }

    func missingUsageDescription(_ client: String, key: String) -> String {
        "\(client) 프로그램의 매니페스트에 \(key) 키가 없어 사용하는 이유를 알릴 수 없습니다. 추가하세요."
    }

    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) 프로그램이 \(object(resource)) 사용해도 되는지 아무도 답하지 않아 허용되지 않습니다. "
            + "터미널에서 다시 시도하거나 다음 명령으로 정하세요: \(command)"
    }

    var tooManyRequests: String {
        "답을 기다리는 요청이 너무 많습니다. 먼저 그 요청에 답한 뒤 다시 시도하세요."
    }

    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String {
        "\(client) 프로그램이 답을 받지 못한 채 여러 번 물어, \(seconds)초가 지나기 전에는 묻지 않습니다. "
            + "그 뒤에 다시 시도하거나, 지금 정하려면: \(command)"
    }

    var recordingFailed: String {
        "동의 기록을 쓸 수 없었습니다. 기록되지 않는 것은 허용되지 않습니다. "
            + "서비스의 로그를 확인하세요. 디스크가 가득 찼을 수 있습니다."
    }
}
