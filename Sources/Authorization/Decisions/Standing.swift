/// How a client stands with a resource, and on what ground. `status` is the part that clients see.
public enum Standing: Sendable, Hashable {
    case restricted(PolicyRule)
    case denied(Decision)
    /// The person said yes to a program that has changed since. Asked again like `notDetermined`.
    case identityChanged(Decision)
    case notDetermined
    case authorized(Scope)
    /// A yes for one session, which runs: it holds for that session and gives no second one.
    case inUseOnce

    public var status: AuthorizationStatus {
        switch self {
        case .restricted: .restricted
        case .denied: .denied
        case .identityChanged, .notDetermined: .notDetermined
        case .authorized, .inUseOnce: .authorized
        }
    }
}
