import Foundation

/// Composes a refusal: its code, the command that helps, and the words for both in the caller's language.
struct Refusal {
    private let resource: Resource
    private let client: ClientIdentifier
    private let name: String
    private let wording: any Wording

    private init(_ resource: Resource, _ requester: Requester) {
        self.resource = resource
        client = requester.client.identifier
        name = requester.client.displayName(in: requester.language)
        wording = requester.language.wording
    }

    private var allowCommand: String { Self.allowCommand(client, resource) }
    private var alwaysCommand: String { allowCommand + " --scope always" }

    private static func allowCommand(_ client: ClientIdentifier, _ resource: Resource) -> String {
        "voicegate settings \(client) --allow \(resource.rawValue)"
    }

    private func error(_ code: RefusalCode, _ message: String, settings: String? = nil) -> AuthorizationError {
        AuthorizationError(code: code, resource: resource, client: client, message: message, settings: settings)
    }

    static func error(for standing: Standing, resource: Resource, requester: Requester) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        let (name, wording, command) = (refusal.name, refusal.wording, refusal.allowCommand)
        switch standing {
        case .restricted(let rule):
            return refusal.error(.restricted, wording.restricted(name, resource, reason: rule.reason))
        case .muted:
            let command = "voicegate unmute"
            return refusal.error(.muted, wording.muted(name, resource, command: command), settings: command)
        case .denied(let decision):
            let day = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: decision.decidedAt)
            return refusal.error(
                .denied, wording.denied(name, resource, on: day, command: command), settings: command)
        case .untrusted(let reason):
            return refusal.error(.untrusted, reason)
        case .identityChanged:
            let program = requester.caller.executable.path
            return refusal.error(
                .identityChanged, wording.identityChanged(name, resource, program: program, command: command),
                settings: command)
        case .inUseOnce:
            return refusal.error(.notDetermined, wording.inUseOnce(name, resource))
        case .notDetermined, .authorized:
            return refusal.error(
                .notDetermined, wording.notDetermined(name, resource, command: command), settings: command)
        }
    }

    /// - Parameter terms: of the yes that does not reach so far; `nil`: there is none yet.
    static func notInUse(_ resource: Resource, _ requester: Requester, _ terms: Terms?) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        let (name, wording, command) = (refusal.name, refusal.wording, refusal.alwaysCommand)
        guard let terms else { return refusal.error(.notInUse, wording.notAskedInBackground(name, resource)) }
        let message =
            terms.isProvisionalAlways
            ? wording.alwaysNotConfirmed(name, resource, command: command)
            : wording.onlyWhileInUse(name, resource, command: command)
        return refusal.error(.notInUse, message, settings: command)
    }

    static func notAnUpgrade(_ key: DecisionKey, language: Language = .english) -> AuthorizationError {
        let command = allowCommand(key.client, key.resource)
        return AuthorizationError(
            code: .notDetermined, resource: key.resource, client: key.client,
            message: language.wording.notAnUpgrade(key.client.rawValue, command: command), settings: command)
    }

    static func reducedFidelity(_ requester: Requester) -> AuthorizationError {
        let (client, name) = (requester.client.identifier, requester.client.displayName)
        let settings = "voicegate settings \(client) --allow speechRecognition --fidelity full"
        return AuthorizationError(
            code: .reducedFidelity, resource: .speechRecognition, client: client,
            message: "\(name) may only be told its own phrases, and its manifest has none (VoiceGatePhrases). Add "
                + "them, or let it have every word: \(settings)",
            settings: settings)
    }

    static func alreadyFull(_ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(.speechRecognition, requester)
        return refusal.error(.alreadyFull, refusal.wording.alreadyFull(refusal.name))
    }

    static func missingPurpose(_ purposeKey: String, _ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(.speechRecognition, requester)
        let key = DisplayText.cleaned(purposeKey, limit: 60)
        return refusal.error(.missingPurpose, refusal.wording.missingPurpose(refusal.name, purposeKey: key))
    }

    static func missingUsageDescription(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        let key = resource.usageDescriptionKey
        let place = "$XDG_CONFIG_HOME/voicegate/clients/NAME/Info.plist"
        return refusal.error(
            .missingUsageDescription,
            requester.client.manifest == nil
                ? refusal.wording.noManifest(key: key, place: place)
                : refusal.wording.missingUsageDescription(refusal.name, key: key))
    }

    static func noAnswer(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        let command = refusal.allowCommand
        return refusal.error(
            .noAnswer, refusal.wording.noAnswer(refusal.name, resource, command: command), settings: command)
    }

    static func tooManyRequests(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        return refusal.error(.tooManyRequests, refusal.wording.tooManyRequests)
    }

    static func tooManyPrompts(_ resource: Resource, _ requester: Requester, seconds: Int64) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        let command = refusal.allowCommand
        return refusal.error(
            .tooManyRequests, refusal.wording.tooManyPrompts(refusal.name, seconds: seconds, command: command),
            settings: command)
    }

    static func recordingFailed(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        let refusal = Refusal(resource, requester)
        return refusal.error(.recordingFailed, refusal.wording.recordingFailed)
    }
}
