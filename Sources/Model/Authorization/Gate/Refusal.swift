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

/// Why the gate said no. The raw values are the `code` of the socket API.
public enum RefusalCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// Nobody was asked, or the person wants to be asked later.
    case notDetermined
    /// The person said no.
    case denied
    /// An administrator's policy forbids it.
    case restricted
    /// The program is not the one the person said yes to.
    case identityChanged
    /// The manifest lacks the usage description for the resource, or there is no manifest.
    case missingUsageDescription
    /// The client is in the background, and what it wants needs the foreground or an `always`.
    case notInUse
    /// The person has muted everything (`voicegate mute`).
    case muted
    /// Only the client's phrases are allowed; what was asked for needs full fidelity.
    case reducedFidelity
    /// The manifest gives no text for the purpose key.
    case missingPurpose
    /// Full fidelity is allowed already, so there is nothing to ask.
    case alreadyFull
    /// What the kernel shows of the program cannot be trusted, such as a sandbox whose metadata cannot be read.
    case untrusted
    /// Nobody was there to ask, or nobody answered in time.
    case noAnswer
    /// Too many requests wait for the person already.
    case tooManyRequests
    /// The log could not be written, and nothing is granted that is not written down.
    case recordingFailed
}

/// A refusal, with what the caller needs to explain it. `code` tells how to react; the message is for people.
public struct AuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: RefusalCode
    public let resource: Resource
    public let client: ClientIdentifier
    /// A sentence: what was refused, by whom, and what to do next.
    public let message: String
    /// The command that changes the decision, where one does.
    public let settings: String?

    public init(
        code: RefusalCode, resource: Resource, client: ClientIdentifier, message: String, settings: String? = nil
    ) {
        self.code = code
        self.resource = resource
        self.client = client
        self.message = message
        self.settings = settings
    }

    public var description: String { message }
}

/// What a request came to.
public struct AuthorizationOutcome: Sendable, Hashable {
    public let status: AuthorizationStatus
    /// Why not, and what to do; `nil` when all that was asked for is allowed. A status can be authorized and the request
    /// still be refused, when it was for more.
    public let refusal: AuthorizationError?

    public static let authorized = AuthorizationOutcome(status: .authorized, refusal: nil)

    public static func refused(_ status: AuthorizationStatus, _ error: AuthorizationError) -> AuthorizationOutcome {
        AuthorizationOutcome(status: status, refusal: error)
    }

    private init(status: AuthorizationStatus, refusal: AuthorizationError?) {
        self.status = status
        self.refusal = refusal
    }
}
