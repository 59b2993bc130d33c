import Base
import Foundation

/// A refusal. Callers react to `code`; the message is for people.
public struct AuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: RefusalCode
    /// The client's permission for the resource, or for all that it requested, when it was refused.
    public fileprivate(set) var status: AuthorizationStatus
    public let resource: Resource
    public let client: ClientIdentifier
    /// What was refused, by whom, and what to do next.
    public let message: String
    /// The command that changes the decision, if one does.
    public let settings: String?
    /// Seconds after which the client may ask again; `nil`: not known.
    public let retryAfter: Int64?

    public init(
        code: RefusalCode, status: AuthorizationStatus, resource: Resource, client: ClientIdentifier, message: String,
        settings: String? = nil, retryAfter: Int64? = nil
    ) {
        self.code = code
        self.status = status
        self.resource = resource
        self.client = client
        self.message = message
        self.settings = settings
        self.retryAfter = retryAfter
    }

    public var description: String { message }
}

/// Why the gate refuses. The raw values are the `code` of the socket API.
public enum RefusalCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// The person has not been asked, or wants to be asked later.
    case notDetermined
    case denied
    /// By an administrator's policy.
    case restricted
    /// The program is not the one that the person allowed.
    case identityChanged
    /// The client declares more than the person was shown.
    case termsWidened
    /// No manifest describes the program.
    case missingManifest
    /// The manifest lacks the usage description for the resource.
    case missingUsageDescription
    /// The client is in the background, and the request needs the foreground or `always`.
    case notInUse
    case muted
    /// Only the client's phrases are allowed, and the request needs full fidelity.
    case reducedFidelity
    case missingPurpose
    /// Always was requested, and the manifest declares nothing that the client does in the background.
    case missingBackgroundMode
    case alreadyFull
    /// The kernel's evidence about the program cannot be trusted, such as a sandbox whose metadata cannot be read.
    case untrusted
    /// The prompt could not be shown, or was not answered in time.
    case noAnswer
    case tooManyRequests
    /// The log could not be written, and nothing is granted without a record.
    case recordingFailed

    /// How each interface answers: the HTTP status, the exit code of a command (sysexits.h), and the seconds after which asking
    /// again may help.
    public var answer: (httpStatus: Int, exitCode: Int32, retryAfter: Int?) {
        switch self {
        case .recordingFailed: (503, 69, nil)
        case .tooManyRequests: (429, 75, 30)
        case .alreadyFull: (409, 77, nil)
        case .missingPurpose: (422, 77, nil)
        // Asking again helps only after somebody has changed something.
        default: (403, 77, nil)
        }
    }
}

/// Why the gate refuses, with what the message needs.
public enum RefusalReason: Sendable, Hashable {
    /// `reason`: the administrator's own words.
    case restricted(reason: String?)
    /// - Parameter program: what muted, safe to show; `nil`: not known, or another user's.
    case muted(MuteScope.Kind, program: String?)
    case denied(on: DateComponents)
    /// The text is the whole message.
    case untrusted(String)
    /// - Parameter bytes: how much larger it is now; `nil` if unknown.
    case identityChanged(program: String, bytes: Int64?)
    case termsWidened
    case notDetermined
    /// In the background and not decided: the person is not asked.
    case notAskedInBackground
    /// In the background, allowed while in use. The same for a provisional `always`, which the client must not be able to
    /// distinguish.
    case notInBackground(isDeclared: Bool)
    case notAnUpgrade
    case reducedFidelity
    case alreadyFull
    case missingPurpose(key: String)
    case missingBackgroundMode
    case noManifest(path: String)
    case missingUsageDescription
    /// Nothing can show a prompt to the person.
    case noAgent
    case noAnswer
    case tooManyRequests
    /// The client prompted so often without a decision that it has to wait.
    case tooManyPrompts(seconds: Int64)
    /// The ledger has too many records of the user to take more now.
    case tooManyRecords(seconds: Int64)
    case recordingFailed

    init(_ standing: Standing, _ requester: Requester) {
        switch standing {
        case .restricted(let rule): self = .restricted(reason: rule.reason)
        case .muted(let mute):
            self = .muted(mute.scope.kind, program: mute.program(for: requester.caller.user))
        case .denied(let decision): self = .denied(by: decision)
        case .untrusted(let reason): self = .untrusted(reason)
        case .identityChanged(let decision):
            let current = AllowedProgram(requester.caller.executable)
            self = .identityChanged(
                program: requester.caller.executable.path, bytes: decision.program?.growth(to: current))
        case .termsWidened: self = .termsWidened
        case .notDetermined, .authorized: self = .notDetermined
        }
    }

    static func denied(by decision: Decision) -> RefusalReason {
        .denied(
            on: Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: decision.decidedAt))
    }

    static func notInBackground(of client: Client) -> RefusalReason {
        .notInBackground(isDeclared: client.manifest?.declaresBackground ?? false)
    }

    static func missingDescription(_ client: Client) -> RefusalReason {
        client.manifest == nil
            ? .noManifest(path: "$XDG_CONFIG_HOME/voicegate/clients/NAME/Info.plist") : .missingUsageDescription
    }

    /// What a refusal for this reason is.
    fileprivate struct Row {
        let code: RefusalCode
        /// The permission that the reason goes with.
        let status: AuthorizationStatus
        /// The command that resolves it, if one does.
        let command: String?
        let retryAfter: Int64?

        init(
            _ code: RefusalCode, _ status: AuthorizationStatus = .notDetermined, _ command: String? = nil,
            after seconds: Int64? = nil
        ) {
            (self.code, self.status, self.command, retryAfter) = (code, status, command, seconds)
        }
    }

    /// - Parameter caller: of a client without a manifest, which settings cannot allow.
    fileprivate func row(_ client: ClientIdentifier, _ resource: Resource, of caller: Caller?) -> Row {
        let settings = "voicegate settings \(client)"
        let allow = settings + " --allow \(resource.rawValue)"
        let program = caller?.quotedProgram
        let decide = caller == nil ? allow : program.map { "voicegate allow \($0)" }
        return switch self {
        case .restricted: Row(.restricted, .restricted)
        case .muted(let scope, _): Row(.muted, .restricted, scope.unmuteCommand)
        case .denied: Row(.denied, .denied, caller == nil ? allow : settings + " --ask \(resource.rawValue)")
        case .untrusted: Row(.untrusted)
        case .identityChanged: Row(.identityChanged, .notDetermined, allow)
        case .termsWidened: Row(.termsWidened, .notDetermined, allow)
        case .notDetermined: Row(.notDetermined, .notDetermined, decide)
        case .notAskedInBackground: Row(.notInUse)
        case .notInBackground(let isDeclared):
            Row(.notInUse, .authorized, isDeclared ? allow + " --scope always" : nil)
        case .notAnUpgrade: Row(.notDetermined, .notDetermined, allow)
        case .reducedFidelity: Row(.reducedFidelity, .authorized, allow + " --fidelity full")
        case .alreadyFull: Row(.alreadyFull, .authorized)
        case .missingPurpose: Row(.missingPurpose, .authorized)
        case .missingBackgroundMode: Row(.missingBackgroundMode, .authorized)
        case .noManifest: Row(.missingManifest, .notDetermined, program.map { "voicegate manifest new \($0)" })
        case .missingUsageDescription: Row(.missingUsageDescription)
        case .noAgent, .noAnswer: Row(.noAnswer, .notDetermined, decide)
        case .tooManyRequests: Row(.tooManyRequests)
        case .tooManyPrompts(let seconds): Row(.tooManyRequests, .notDetermined, decide, after: seconds)
        case .tooManyRecords(let seconds): Row(.tooManyRequests, after: seconds)
        case .recordingFailed: Row(.recordingFailed)
        }
    }
}

extension Caller {
    /// The program that a manifest could describe, for a shell; `nil` if it runs code that is not its own, or is not known.
    fileprivate var quotedProgram: String? {
        switch evidence {
        case .executable, .script: break
        case .flatpak, .snap, .interpreter, .untrusted: return nil
        }
        let path = executable.path
        guard responsible?.processIdentifier != 0, path.hasPrefix("/"), DisplayText.cleaned(path, limit: 4096) == path
        else { return nil }
        return ShellWord.quoted(path)
    }
}

extension AuthorizationError {
    /// The refusal in the requester's language.
    ///
    /// - Parameter status: default: the one that the reason goes with.
    init(
        _ reason: RefusalReason, _ resource: Resource, _ requester: Requester, status: AuthorizationStatus? = nil
    ) {
        let client = requester.client
        self.init(
            reason, resource, client.identifier, name: client.displayName(in: requester.language), requester.language,
            of: client.isOnceAtMost ? requester.caller : nil, status: status)
    }

    init(for standing: Standing, _ resource: Resource, _ requester: Requester) {
        self.init(RefusalReason(standing, requester), resource, requester)
    }

    /// - Parameter caller: of a client without a manifest.
    init(
        _ reason: RefusalReason, _ resource: Resource, _ client: ClientIdentifier, name: String,
        _ language: Language = .english, of caller: Caller? = nil, status: AuthorizationStatus? = nil
    ) {
        let row = reason.row(client, resource, of: caller)
        self.init(
            code: row.code, status: status ?? row.status, resource: resource, client: client,
            message: language.wording.refusal(reason, client: name, resource: resource, command: row.command ?? ""),
            settings: row.command, retryAfter: row.retryAfter)
    }
}

/// The result of a request for permission.
public struct AuthorizationOutcome: Sendable, Hashable {
    /// Why the request was refused; `nil` if all of it is allowed. Its status can be authorized, if the client asked for more.
    public let refusal: AuthorizationError?

    public var status: AuthorizationStatus { refusal?.status ?? .authorized }

    public static let authorized = AuthorizationOutcome(refusal: nil)

    /// - Parameter status: of all that was requested, if that is not the status of the refusal.
    public static func refused(
        _ error: AuthorizationError, status: AuthorizationStatus? = nil
    ) -> AuthorizationOutcome {
        var refusal = error
        if let status { refusal.status = status }
        return AuthorizationOutcome(refusal: refusal)
    }

    /// The person did not answer, or could not be asked.
    static func unanswered(_ resource: Resource, _ requester: Requester) -> AuthorizationOutcome {
        .refused(AuthorizationError(.noAnswer, resource, requester))
    }

    public func check() throws(AuthorizationError) { if let refusal { throw refusal } }
}
