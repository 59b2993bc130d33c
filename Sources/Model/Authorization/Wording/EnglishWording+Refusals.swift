import Foundation

extension EnglishWording {
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String {
        "A policy of this machine's administrator does not let \(client) use \(resource.phrase)"
            + (reason.map { ": \($0)" } ?? ".")
    }

    func muted(_ client: String, _ resource: Resource, command: String) -> String {
        "You have muted everything, so \(client) may not use \(resource.phrase). To end that: \(command)"
    }

    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String {
        let date = String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
        return "You did not allow \(client) to use \(resource.phrase) (\(date)). To change that: \(command)"
    }

    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String {
        "The program \(program) has changed since you allowed \(client) to use \(resource.phrase). "
            + "To allow it as it is now: \(command)"
    }

    func inUseOnce(_ client: String, _ resource: Resource) -> String {
        "\(client) was allowed to use \(resource.phrase) for one session, and that one still runs. "
            + "End it, then ask again."
    }

    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) has not been allowed to use \(resource.phrase) yet. "
            + "It asks when it is used at a terminal; to decide now: \(command)"
    }

    func notAskedInBackground(_ client: String, _ resource: Resource) -> String {
        "\(client) is in the background, so nobody is asked whether it may use \(resource.phrase). "
            + "Run it in the foreground of a terminal or of the desktop."
    }

    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) asked to use \(resource.phrase) in the background, and you have not confirmed that yet. "
            + "To decide now: \(command)"
    }

    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) may use \(resource.phrase) only while you use it, and it is in the background. Bring it to "
            + "the foreground, or let it: \(command)"
    }

    func notAnUpgrade(_ client: String, command: String) -> String {
        "Always is an upgrade of a yes while using, and \(client) has none. First: \(command)"
    }

    func alreadyFull(_ client: String) -> String { "\(client) has full fidelity already. Begin the session." }

    func missingPurpose(_ client: String, purposeKey: String) -> String {
        "The manifest of \(client) gives no text for the purpose “\(purposeKey)”, so the person cannot be told. "
            + "Add it to \(Manifest.purposesKey)."
    }

    func noManifest(key: String, place: String) -> String {
        "No manifest describes this program. Put an Info.plist with CFBundleExecutable and \(key) into "
            + "the clients folder (\(place))."
    }

    func missingUsageDescription(_ client: String, key: String) -> String {
        "The manifest of \(client) has no \(key), so the person cannot be told why it asks. Add it."
    }

    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String {
        "Nobody answered whether \(client) may use \(resource.phrase), so it may not. "
            + "Ask again at a terminal, or decide with: \(command)"
    }

    var tooManyRequests: String {
        "Too many requests wait for an answer already. Answer those first, then try again."
    }

    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String {
        "\(client) has asked again and again without a decision, so you are not asked before \(seconds) s are over. "
            + "Try again then, or decide now: \(command)"
    }

    var recordingFailed: String {
        "The consent log could not be written, and nothing is allowed that is not written down. "
            + "See the service's log; the disk may be full."
    }
}
