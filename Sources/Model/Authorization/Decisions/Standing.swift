import Foundation

/// A client's permission for a resource, with the reason for it. Clients see `status` only.
public enum Standing: Sendable, Hashable {
    case restricted(PolicyRule)
    /// Everything is muted.
    case muted(Mute)
    case denied(Decision)
    /// The program's identity cannot be trusted; the text says why.
    case untrusted(String)
    /// The person allowed the program, which has changed since. The person is asked again.
    case identityChanged(Decision)
    /// The client declares more than the person was shown. The person is asked again.
    case termsWidened(Decision, [Addition])
    case notDetermined
    case authorized(Terms)

    public var status: AuthorizationStatus {
        switch self {
        case .restricted, .muted: .restricted
        case .denied: .denied
        case .untrusted, .identityChanged, .termsWidened, .notDetermined: .notDetermined
        case .authorized: .authorized
        }
    }

    public var terms: Terms? { if case .authorized(let terms) = self { terms } else { nil } }
}

/// A client's permission for a resource as settings show it, whether or not the client is running: what was decided, and
/// what overrides it.
public struct SettledStanding: Sendable, Hashable {
    public let key: DecisionKey
    /// What the client sees if its program has not changed. `notDetermined` if it declares more than was allowed.
    public let status: AuthorizationStatus
    public let decision: Decision?
    /// What the client declares beyond the grant.
    public let additions: [Addition]
    /// The policy rule that applies now.
    public let restriction: PolicyRule?
    /// A process has a grant for one use, which is not part of `status`.
    public let isAllowedOnce: Bool
    /// The name that the last notice about it showed, in English if there was one.
    public let shownName: String?
    /// A prompt that is shown now, or a question that waits for a quiet moment.
    public let question: Question?
    /// When the grant expires unless it is used.
    public let expiresAt: Date?
    /// When the person is asked whether to keep an `always`.
    public let reviewAt: Date?
}

/// A client's permission for a resource, in the terms of `SFSpeechRecognizerAuthorizationStatus`.
///
/// | here | `AVAudioApplication.recordPermission` | meaning |
/// |---|---|---|
/// | `notDetermined` | `undetermined` | the person has not been asked, or chose to be asked next time |
/// | `restricted` | `denied` | an administrator's policy forbids it; the person cannot change that |
/// | `denied` | `denied` | the person denied it; only settings change that |
/// | `authorized` | `granted` | the person granted it |
public enum AuthorizationStatus: String, Sendable, Codable, CaseIterable, Hashable {
    case notDetermined
    case restricted
    case denied
    case authorized

    /// Reads a status from outside; an unknown word means `denied`.
    public init(untrusted word: String) {
        self = AuthorizationStatus(rawValue: word) ?? .denied
    }

    public init(from decoder: any Decoder) throws {
        self.init(untrusted: try decoder.singleValueContainer().decode(String.self))
    }
}
