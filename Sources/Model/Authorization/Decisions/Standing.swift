import Foundation

/// How a client stands with a resource, and on what ground. `status` is the part that clients see.
public enum Standing: Sendable, Hashable {
    case restricted(PolicyRule)
    /// The person has muted everything.
    case muted
    case denied(Decision)
    /// What the program is cannot be trusted; the text is a sentence that says why.
    case untrusted(String)
    /// The person said yes to a program that has changed since. Asked again like `notDetermined`.
    case identityChanged(Decision)
    case notDetermined
    case authorized(Terms)
    /// A yes for one session, which runs: it holds for that session and gives no second one.
    case inUseOnce

    public var status: AuthorizationStatus {
        switch self {
        case .restricted, .muted: .restricted
        case .denied: .denied
        case .untrusted, .identityChanged, .notDetermined: .notDetermined
        case .authorized, .inUseOnce: .authorized
        }
    }

    /// What a yes allows.
    public var terms: Terms? { if case .authorized(let terms) = self { terms } else { nil } }
}

/// How a client stands with a resource as settings show it: what was decided, and what stands above that. Whether its
/// program has changed since is not part of it, because the client need not run.
public struct SettledStanding: Sendable, Hashable {
    public let key: DecisionKey
    /// What the client sees, whatever its program is now.
    public let status: AuthorizationStatus
    /// A yes or a no that is kept.
    public let decision: Decision?
    /// The policy that restricts it now.
    public let restriction: PolicyRule?
    /// A process has a yes for one session; the stored status does not know of it.
    public let isAllowedOnce: Bool
    /// What the person has not answered: a prompt that is shown now, or a question that waits for a quiet moment.
    public let question: Question?
    /// When a yes ends if it is not used until then.
    public let expiresAt: Date?
    /// When the person is asked whether an always is to stay.
    public let reviewAt: Date?
}

/// What a client may do with a resource, in the words of `SFSpeechRecognizerAuthorizationStatus`.
///
/// | here | `AVAudioApplication.recordPermission` | what it means |
/// |---|---|---|
/// | `notDetermined` | `undetermined` | the person has not been asked, or chose to be asked next time |
/// | `restricted` | `denied` | an administrator's policy forbids it; the person cannot lift it |
/// | `denied` | `denied` | the person said no; only settings change that |
/// | `authorized` | `granted` | the person said yes |
public enum AuthorizationStatus: String, Sendable, Codable, CaseIterable, Hashable {
    case notDetermined
    case restricted
    case denied
    case authorized

    /// Reads a status from outside; a word we do not know means `denied`, as the source's `@unknown default` does.
    public init(untrusted word: String) {
        self = AuthorizationStatus(rawValue: word) ?? .denied
    }

    /// As `init(untrusted:)`, so that no reader takes a word it does not know for anything but a no.
    public init(from decoder: any Decoder) throws {
        self.init(untrusted: try decoder.singleValueContainer().decode(String.self))
    }
}
