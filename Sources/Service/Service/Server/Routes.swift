import Authorization
import Foundation
import Hummingbird
import NIOCore
import SocketAPI

/// What a route knows beside the request: who calls, and how JSON is written.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: Connection?
    /// What the caller prefers of the languages that VoiceGate speaks (`Accept-Language`).
    var language: Language?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = Connection.current
    }

    var requestDecoder: JSONDecoder { JSONCoding.decoder() }
    var responseEncoder: JSONEncoder { JSONCoding.encoder() }
}

/// Reads the language in which the caller wants to be answered.
struct LanguageMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.language = request.headers[.acceptLanguage].flatMap { Language(acceptLanguage: $0) }
        return try await next(request, context)
    }
}

/// Answers to methods that a path does not take: 405 with those that it takes (RFC 9110, section 15.5.6).
enum OtherMethods {
    private static let known =
        [.get, .head, .post, .put, .delete, .options, .trace, .patch, .connect]
        + [HTTPRequest.Method("QUERY")].compactMap { $0 }

    /// - Parameter router: with all of its routes.
    static func add(to router: Router<ServiceContext>) {
        let taken = Dictionary(grouping: router.routes) { "\($0.path)" }
        for (path, routes) in taken {
            let methods = Set(routes.map(\.method))
            let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
            for method in known where !methods.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ in
                    try answer(to: method, allowed: allowed)
                }
            }
        }
    }

    private static func answer(to method: HTTPRequest.Method, allowed: String) throws -> Response {
        var response = try Response(
            status: .methodNotAllowed,
            json: ErrorReply(
                code: ErrorCode.methodNotAllowed.rawValue, message: "This path takes \(allowed) only."))
        response.headers[.allow] = allowed
        // An answer to HEAD has no body, whatever its headers say.
        if method == .head { response.body = ResponseBody() }
        return response
    }
}

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
