import Base
import Foundation

/// Why the gate refuses, with what the message needs. `Wording.refusal` is the table of what each refusal is, and `RefusalCode.answer`
/// of how each interface answers it.
enum RefusalReason: Sendable, Hashable {
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
    case absent(Absence)
    case notAnUpgrade
    case reducedFidelity
    case alreadyFull
    case missingPurpose(key: String)
    case missingBackgroundMode
    case noManifest
    case missingUsageDescription
    /// Nothing can show a prompt to the person.
    ///
    /// - Parameter waited: seconds in which nothing came that can.
    case noAgent(waited: Int64)
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
        client.manifest == nil ? .noManifest : .missingUsageDescription
    }
}

extension Wording {
    /// - Parameters:
    ///   - client: the client's name in this language.
    ///   - caller: of a client without a manifest, which settings cannot allow.
    fileprivate func refusal(
        _ reason: RefusalReason, _ identifier: ClientIdentifier, client: String, _ resource: Resource,
        of caller: Caller?
    ) -> AuthorizationError {
        /// - Parameters:
        ///   - status: the permission that the reason goes with.
        ///   - command: resolves it; the same in every language.
        ///   - message: what was refused, by whom and when, and what to do next.
        func row(
            _ code: RefusalCode, status: AuthorizationStatus = .notDetermined, command: String? = nil,
            after seconds: Int64? = nil, _ message: String
        ) -> AuthorizationError {
            AuthorizationError(
                code: code, status: status, resource: resource, client: identifier, message: message,
                settings: command, retryAfter: seconds)
        }
        let (use, key) = (resourceObject(resource), resource.usageDescriptionKey)
        let settings = "voicegate settings \(identifier)"
        let allow = settings + " --allow \(resource.rawValue)"
        let ask = caller == nil ? allow : settings + " --ask \(resource.rawValue)"
        let (always, full) = (allow + " --scope always", allow + " --fidelity full")
        // `nil`: none, for a program that runs the code of others.
        let program = caller?.quotedProgram
        let decide = caller == nil ? allow : program.map { "voicegate allow \($0)" }
        let describe = program.map { "voicegate manifest new \($0)" }
        let lasting = self(.lasting)
        return switch reason {
        case .restricted(let reason?):
            row(
                .restricted, status: .restricted,
                refusalRestrictedBecause(client: client, resource: use, reason: reason))
        case .restricted(nil):
            row(.restricted, status: .restricted, refusalRestricted(client: client, resource: use))
        case .muted(let scope, let program):
            row(
                .muted, status: .restricted, command: scope.unmuteCommand,
                refusalMuted(
                    everyone: muted(scope, by: program).everyone, by: muted(scope, by: program).by, client: client,
                    resource: use, command: scope.unmuteCommand))
        case .denied(let day):
            row(
                .denied, status: .denied, command: ask,
                refusalDenied(client: client, resource: use, day: date(day), command: ask))
        case .untrusted(let sentence): row(.untrusted, sentence)
        case .identityChanged(let program, let bytes):
            row(
                .identityChanged, command: allow,
                refusalIdentityChanged(
                    program: program, client: client, resource: use,
                    growth: bytes.map { refusalGrowth(growth: growth($0)) } ?? "", command: allow))
        case .termsWidened:
            row(.termsWidened, command: allow, refusalTermsWidened(client: client, resource: use, command: allow))
        case .notDetermined:
            row(
                .notDetermined, command: decide,
                decide.map { refusalNotDetermined(client: client, resource: use, command: $0) }
                    ?? refusalNotDeterminedProgram(client: client, resource: use, lasting: lasting))
        case .notAskedInBackground: row(.notInUse, refusalNotAskedInBackground(client: client, resource: use))
        case .notInBackground(isDeclared: true):
            row(
                .notInUse, status: .authorized, command: always,
                refusalNotInBackground(client: client, resource: use, command: always))
        case .notInBackground(isDeclared: false):
            row(.notInUse, status: .authorized, refusalUndeclaredBackground(client: client, resource: use))
        case .absent(.locked): row(.locked, status: .authorized, refusalLocked(client: client, resource: use))
        case .absent(.switched): row(.switched, status: .authorized, refusalSwitched(client: client, resource: use))
        case .absent(.asleep): row(.asleep, status: .authorized, refusalAsleep(client: client, resource: use))
        case .notAnUpgrade:
            row(.notDetermined, command: allow, refusalNotAnUpgrade(client: client, command: allow))
        case .reducedFidelity:
            row(
                .reducedFidelity, status: .authorized, command: full,
                refusalReducedFidelity(client: client, command: full))
        case .alreadyFull: row(.alreadyFull, status: .authorized, refusalAlreadyFull(client: client))
        case .missingPurpose(let key):
            row(
                .missingPurpose, status: .authorized,
                refusalMissingPurpose(client: client, key: key, dictionary: Manifest.purposesKey))
        case .missingBackgroundMode:
            row(.missingBackgroundMode, status: .authorized, refusalMissingBackgroundMode(client: client))
        case .noManifest:
            row(
                .missingManifest, command: describe,
                describe.map { refusalNoManifest(command: $0) }
                    ?? refusalNoManifestProgram(
                        key: key, path: "$XDG_CONFIG_HOME/voicegate/clients/NAME/Info.plist"))
        case .missingUsageDescription:
            row(.missingUsageDescription, refusalMissingUsageDescription(client: client, key: key))
        case .noAgent(let seconds):
            row(
                .noAnswer, command: decide,
                decide.map {
                    refusalNoAgent(client: client, resource: use, waited: waited(seconds), command: $0)
                } ?? refusalNoAgentProgram(client: client, resource: use, waited: waited(seconds), lasting: lasting))
        case .noAnswer:
            row(
                .noAnswer, command: decide,
                decide.map { refusalNoAnswer(client: client, resource: use, command: $0) }
                    ?? refusalNoAnswerProgram(client: client, resource: use, lasting: lasting))
        case .tooManyRequests: row(.tooManyRequests, self(.refusalTooManyRequests))
        case .tooManyPrompts(let seconds):
            row(
                .tooManyRequests, command: decide, after: seconds,
                decide.map { refusalTooManyPrompts(client: client, seconds: seconds, command: $0) }
                    ?? refusalTooManyPromptsProgram(client: client, seconds: seconds, lasting: lasting))
        case .tooManyRecords(let seconds):
            row(.tooManyRequests, after: seconds, refusalTooManyRecords(seconds: seconds))
        case .recordingFailed: row(.recordingFailed, self(.refusalRecordingFailed))
        }
    }

    private func waited(_ seconds: Int64) -> String { seconds > 0 ? refusalWaited(seconds: seconds) : "" }

    /// ISO 8601 in English.
    private func date(_ day: DateComponents) -> String {
        let form = language == .english ? "%02d" : "%d"
        return self.day(
            year: day.year ?? 0, month: String(format: form, day.month ?? 0), day: String(format: form, day.day ?? 0))
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
        let refusal = language.wording.refusal(reason, client, client: name, resource, of: caller)
        self = status.map(refusal.with) ?? refusal
    }
}
