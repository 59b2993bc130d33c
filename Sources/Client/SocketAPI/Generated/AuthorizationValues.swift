// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// The caller's permissions.
public struct AuthorizationReply: Sendable, Hashable, Codable {
    /// What a grant allows.
    public struct Grant: Sendable, Hashable, Codable {
        /// `always` also while the user has not confirmed it yet.
        public var scope: Scope
        /// Of speech recognition only: the fidelity that this process has now (`accuracyAuthorization`). `full` also
        /// from a grant of temporary full fidelity to the end of the session that uses it.
        public var fidelity: Fidelity?

        public init(scope: Scope, fidelity: Fidelity? = nil) { (self.scope, self.fidelity) = (scope, fidelity) }
    }

    /// The caller's bundle identifier, as the service found it.
    public var client: String
    public var name: String
    public var speechRecognition: AuthorizationStatus
    public var microphone: AuthorizationStatus
    /// Whether everything is muted; every status is `restricted` then.
    public var muted: Bool = false
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?
    /// Absent unless the status is `authorized`.
    public var speechRecognitionGrant: Grant?
    public var microphoneGrant: Grant?
    /// Manifests and policy files that could not be used.
    public var problems: [String]
}

/// The caller's permission for one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    /// Whether it is allowed.
    public var status: AuthorizationStatus
    /// Absent unless the status is `authorized`.
    public var grant: AuthorizationReply.Grant?

    public init(status: AuthorizationStatus, grant: AuthorizationReply.Grant? = nil) {
        (self.status, self.grant) = (status, grant)
    }
}

/// `POST /v1/authorization/requests`: asks now and waits for the user's answer. Answered with 200 and an
/// `AuthorizationReply` if everything requested is authorized, else with 403.
public struct AuthorizationRequest: Sendable, Hashable, Codable {
    /// Absent: both, in the order of dictation.
    public var resource: Resource?
    /// `always` asks for a grant for always after one for use while in use.
    public var scope: Scope?
    /// What is to be recognised, such as `en`, in sound files if `resource` is speech recognition, else in
    /// dictations. If no engine here recognises it, the request is refused before the user is asked.
    public var language: String?

    public init(resource: Resource? = nil, scope: Scope? = nil, language: String? = nil) {
        (self.resource, self.scope, self.language) = (resource, scope, language)
    }
}

/// `POST /v1/authorization/temporary-full-fidelity`: asks the user for full fidelity for this process's next
/// session. Answered with 200 and an `AuthorizationReply`, else with 403 (`notInUse`, `noAnswer` …), 409
/// (`alreadyFull`) or 422 (`missingPurpose`).
public struct TemporaryFidelityRequest: Sendable, Hashable, Codable {
    /// A key of the manifest's `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`.
    public var purposeKey: String

    public init(purposeKey: String) { self.purposeKey = purposeKey }
}

/// Each line of `GET /v1/authorization/changes`, with `after=CURSOR` for what came after an earlier line. Every
/// change is sent, in order, also one that was undone since. If changes are lost, `gap` comes and then `state`.
public enum AuthorizationEvent: Sendable, Hashable, Codable {
    /// The present state: the first line, and the one after a gap.
    case state(cursor: String, AuthorizationReply, resources: [Resource: ResourceState])
    /// The first line instead, if the changes continue without a gap after the cursor of the request.
    case resumed(cursor: String)
    /// The state right after one change, of the resource that changed; of both for a policy and a mute.
    case changed(cursor: String, muted: Bool, changed: [Resource: ResourceState])
    /// Changes before this are lost: the service restarted, or the reader was too far behind.
    case gap

    private enum CodingKeys: String, CodingKey { case type, cursor, authorization, resources, muted, changed }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        switch try fields[.type] as String {
        case "state":
            self = .state(
                cursor: try fields[.cursor], try fields[.authorization],
                resources: .init(named: try fields[.resources]))
        case "resumed": self = .resumed(cursor: try fields[.cursor])
        case "changed":
            self = .changed(
                cursor: try fields[.cursor], muted: try fields[.muted], changed: .init(named: try fields[.changed]))
        case "gap": self = .gap
        default: throw UnknownEvent()
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .state(let cursor, let authorization, let resources):
            try encoder.encode([
                CodingKeys.type: "state", .cursor: cursor, .authorization: authorization, .resources: resources.named,
            ])
        case .resumed(let cursor): try encoder.encode([CodingKeys.type: "resumed", .cursor: cursor])
        case .changed(let cursor, let muted, let changed):
            try encoder.encode([CodingKeys.type: "changed", .cursor: cursor, .muted: muted, .changed: changed.named])
        case .gap: try encoder.encode([CodingKeys.type: "gap"])
        }
    }
}

/// A prompt that the caller may answer.
public struct PromptOffer: Sendable, Hashable, Codable {
    public struct Item: Sendable, Hashable, Codable {
        public var name: String
        public var text: String
    }

    /// Names the prompt in `POST /v1/prompts/{cookie}/answer`; valid for one answer.
    public var cookie: String
    public var client: String
    public var resource: Resource
    public var language: String
    public var title: String
    public var usageDescription: String
    /// The program that asks and what installed it, then the data items, in the order in which to show them.
    public var items: [Item]
    /// The possible answers, in the order in which to show them.
    public var answers: [Answer]
    /// Whether a grant may have `"fidelity":"reduced"`: the client then gets only its phrases.
    public var offersFidelity: Bool
}

/// Each line of `GET /v1/prompts`.
public enum PromptEvent: Sendable, Hashable, Codable {
    /// The first line: from now on prompts that this caller may answer are sent.
    case listening
    case shown(PromptOffer)
    /// The prompt is answered or no longer needed; remove it from the screen.
    case withdrawn(cookie: String)

    private enum CodingKeys: String, CodingKey { case type, prompt, cookie }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        switch try fields[.type] as String {
        case "listening": self = .listening
        case "shown": self = .shown(try fields[.prompt])
        case "withdrawn": self = .withdrawn(cookie: try fields[.cookie])
        default: throw UnknownEvent()
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .listening: try encoder.encode([CodingKeys.type: "listening"])
        case .shown(let prompt): try encoder.encode([CodingKeys.type: "shown", .prompt: prompt])
        case .withdrawn(let cookie): try encoder.encode([CodingKeys.type: "withdrawn", .cookie: cookie])
        }
    }
}

/// `POST /v1/prompts/{cookie}/answer`; answered with 204.
public struct PromptAnswer: Sendable, Hashable, Codable {
    public var answer: Answer
    /// Of a grant, if the prompt offers it; default `full`.
    public var fidelity: Fidelity?

    public init(answer: Answer, fidelity: Fidelity? = nil) { (self.answer, self.fidelity) = (answer, fidelity) }
}

/// `GET /v1/prompts?agent=…`: where an agent shows the prompts of other programs.
public enum AgentKind: String, Sendable, Codable, Hashable, CaseIterable {
    /// At its terminal, whose foreground job it must be.
    case terminal
    /// As notifications of the desktop.
    case desktop
}

/// RFC 9457, with the error that VoiceGate's clients read.
public struct ErrorReply: Sendable, Hashable, Codable {
    public struct Detail: Sendable, Hashable, Codable {
        /// For programs.
        public var code: String
        /// For people: what happened and what to do next.
        public var message: String
        /// The status after a request for permission.
        public var status: AuthorizationStatus?
        public var resource: Resource?
        /// The caller's bundle identifier, as the service found it.
        public var client: String?
        /// The command that changes the decision.
        public var settings: String?
    }

    /// `urn:voicegate:error:` and the code.
    public var type: String?
    /// The HTTP status in words.
    public var title: String?
    /// The HTTP status.
    public var status: Int?
    /// The message of `error`.
    public var detail: String?
    public var error: Detail
}

/// An error that is not a refusal by the gate.
public enum ErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 400: the request cannot be read.
    case badRequest
    /// 403: this caller may not do this.
    case notAllowed
    /// 409: an answer to a prompt that was shown too briefly to be read; the prompt still waits.
    case tooEarly
    /// 409: what a decision is about has changed since it was shown. Read it again.
    case outdated
    /// 408: the client let the service wait too long for the rest of its request.
    case clientStalled
    /// 400: the client closed the connection, or its sending side, in the middle of its request.
    case clientGone
    /// 503: the service did not read the request in time; nothing is wrong with it.
    case serviceStalled
    /// 404: there is no such session, monitor, file or client.
    case notFound
    /// 405: the header `Allow` names the path's methods.
    case methodNotAllowed
    /// 409: another program uses the capture device.
    case deviceBusy
    /// 413: the request is too large.
    case tooLarge
    /// 415: not a readable sound file.
    case badAudio
    /// 422: values are out of range or contradict each other.
    case invalidValue
    /// 503: the capture device is not there or cannot be opened.
    case deviceUnavailable
    /// 503: the recogniser cannot be used.
    case recognizerUnavailable
    /// 503: the service's storage cannot be used.
    case storageUnavailable
    /// 429: as many run as may run at a time. `Retry-After` has seconds.
    case busy
    /// 409: in conflict with what there is: something is in use, or there are as many of it as there may be.
    case conflict
    /// 503: the service takes no more connections now, or it stops. `Retry-After` has seconds.
    case unavailable
    /// 500: a fault of the service.
    case internalError
}
