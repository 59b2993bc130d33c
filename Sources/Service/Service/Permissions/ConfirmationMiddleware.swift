import Hummingbird

/// Makes the person confirm whatever changes what was decided or erases it, before its route sees it.
struct ConfirmationMiddleware: RouterMiddleware {
    typealias Context = ServiceContext

    let clients: ClientResolver
    let confirmation: any Confirmation

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if Self.needsPerson(request.method, request.uri.path) {
            let (_, requester) = try await clients.requester(of: context)
            // Whoever is no command line is refused by the route; its wish must not bring up a question for a password.
            if clients.isPerson(requester) {
                try await confirmation.confirm(.settings, by: requester.caller) {}
            }
        }
        return try await next(request, context)
    }

    /// Whether it changes what was decided, or erases what was recorded. A mute only takes away; it must be quick, and needs
    /// nothing.
    static func needsPerson(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        // The router leaves empty parts out, so that //v1/settings leads to the same route.
        let parts = path.split(separator: "/")
        guard method != .get, method != .head, parts.count >= 2, parts[0] == "v1" else { return false }
        return parts[1] == "settings" || method == .delete && parts[1] == "mute"
            || parts[1] == "audit" && parts.dropFirst(2).first == "erasures"
            // The log's key is everybody's.
            || parts.dropFirst().elementsEqual(["audit", "keys"])
    }
}
