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
