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
