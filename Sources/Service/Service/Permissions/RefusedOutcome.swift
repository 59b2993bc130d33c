import Authorization

/// A request for permission that came to a no, as an error of its route.
struct RefusedOutcome: Error {
    let status: AuthorizationStatus
    let refusal: AuthorizationError
}
