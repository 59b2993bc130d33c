import Authorization
import Foundation
import Hummingbird
import LinuxSystem
import Logging
import NIOCore
import Prompting
import SocketAPI

/// A request that its route admits, and who made it. Only `Routes` makes one.
package struct Call: Sendable {
    package let request: Request
    package let connection: Connection
    /// The client as it was when all that the route reads before it begins was there.
    package let requester: Requester
    /// The user's clients at that time.
    package let catalog: VersionedCatalog
    package let clients: ClientResolver
    private let context: ServiceContext

    fileprivate init(
        _ request: Request, _ context: ServiceContext, _ clients: ClientResolver, readsPresence: Bool
    ) async throws {
        (self.request, self.context, self.clients) = (request, context, clients)
        connection = context.connection
        catalog = await clients.current(of: connection.peer.caller.user)
        requester = try await clients.requester(
            on: connection, language: Self.language(request), in: catalog,
            presence: readsPresence ? nil : .background)
    }

    /// The client as it is now, for what happens after the user was asked or a body was read: a client may change
    /// meanwhile.
    package func requesterNow() async throws -> Requester {
        try await clients.requester(on: connection, language: Self.language(request))
    }

    package var user: UInt32 { requester.caller.user }
    package var isCommandLine: Bool { clients.isCommandLine(requester) }
    package var isPerson: Bool { clients.isPerson(requester) }

    package func parameter(_ name: String) throws -> String { try context.parameters.require(name) }

    package func clientParameter() throws -> ClientIdentifier {
        guard let identifier = ClientIdentifier(rawValue: try parameter("client")) else {
            throw RouteError(.invalidValue, "A client is named by its bundle identifier, such as org.example.Editor.")
        }
        return identifier
    }

    private static func language(_ request: Request) -> Language? {
        request.headers[.acceptLanguage].flatMap { Language(acceptLanguage: $0) }
    }
}

/// The routes under `/v1`, each with who may call it. The only place that checks that.
package final class Routes {
    package typealias ErrorAnswer = @Sendable (any Error, Request, Logger) throws -> Response

    package let clients: ClientResolver
    package let mode: ServiceMode
    private let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    private let group: RouterGroup<ServiceContext>
    /// Method and path of each route → the words of its access.
    private var declared: [String: [String]] = [:]
    private var alwaysServed: [(HTTPRequest.Method, String)] = []

    var takingAway: TakingAway { TakingAway(alwaysServed) }

    package init(clients: ClientResolver, mode: ServiceMode) {
        (self.clients, self.mode) = (clients, mode)
        router.add(middleware: ErrorMiddleware())
        group = router.group("v1")
    }

    /// Each route with the words of its access, sorted.
    package var list: [String] {
        router.routes.map { route in
            let name = "\(route.method) \(route.path)"
            return ([name] + (declared[name] ?? [])).joined(separator: " ")
        }.sorted()
    }

    /// Answers requests. Call it once, when all routes are there: it adds the answers to other methods.
    func responder() -> any HTTPResponder<ServiceContext> {
        OtherMethods.add(to: router)
        return router.buildResponder()
    }

    /// Adds a route for any process; nothing of the caller is looked at.
    package func onAnyProcess(
        _ method: HTTPRequest.Method, _ path: String, for access: RouteAccess = .process,
        use handler: @escaping @Sendable () async throws -> Response
    ) {
        declare(method, path, access)
        group.on(RouterPath(path), method: method) { _, _ in try await handler() }
    }

    /// Adds a route. The caller is checked before the handler runs, which reads the body if there is one.
    ///
    /// - Parameters:
    ///   - act: what the user confirms in enforced mode before the handler runs; `nil`: nothing.
    ///   - errors: makes the answer to an error; default: an `ErrorReply`.
    package func on(
        _ method: HTTPRequest.Method, _ path: String, for access: RouteAccess,
        confirming act: (@Sendable (Call) throws -> ConfirmedAct)? = nil, errors: ErrorAnswer? = nil,
        use handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        var confirming: (@Sendable (Void, Call) throws -> ConfirmedAct)?
        if let act { confirming = { _, call in try act(call) } }
        add(method, path, access, confirming: confirming, errors: errors, reading: { _ in }) { _, call in
            try await handler(call)
        }
    }

    /// Adds a `GET` of a stream that ends with its connection. `HEAD` opens none.
    package func follow(
        _ path: String, for access: RouteAccess, use handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        on(.get, path, for: access.streaming) { call in
            guard call.request.method != .head else {
                return Response(status: .ok, headers: [.contentType: "application/x-ndjson"])
            }
            return try await handler(call)
        }
    }

    /// Adds a route with a JSON body. The caller is checked when the body has been read: a client may take its time with it.
    ///
    /// - Parameter act: what the user confirms in enforced mode before the handler runs; `nil`: nothing.
    package func on<Body: Decodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, for access: RouteAccess, taking body: Body.Type,
        limit: Int = Request.longestJSON, confirming act: (@Sendable (Body, Call) throws -> ConfirmedAct)? = nil,
        use handler: @escaping @Sendable (Body, Call) async throws -> Response
    ) {
        add(
            method, path, access, confirming: act, errors: nil, reading: { try await $0.json(body, limit: limit) },
            use: handler)
    }

    private func add<Body: Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess,
        confirming act: (@Sendable (Body, Call) throws -> ConfirmedAct)?, errors: ErrorAnswer?,
        reading read: @escaping @Sendable (Request) async throws -> Body,
        use handler: @escaping @Sendable (Body, Call) async throws -> Response
    ) {
        declare(method, path, access, isConfirmed: act != nil)
        group.on(RouterPath(path), method: method) { [clients, mode] request, context in
            do {
                if access.hasHeartbeat { _ = try Heartbeat.interval(request.uri.query.map { $0[...] }) }
                let body = try await read(request)
                func admitted() async throws -> Call {
                    let call = try await Call(request, context, clients, readsPresence: access.readsPresence)
                    try access.check(call, mode)
                    return call
                }
                if let act, let confirmation = mode.confirmation {
                    // A request that is refused must not bring up a question for a password.
                    let call = try await admitted()
                    try await confirmation.confirm(
                        act(body, call), in: call.requester.noticeLanguage, by: call.requester.caller)
                }
                return try await handler(body, admitted())
            } catch {
                guard let errors else { throw error }
                return try errors(error, request, context.logger)
            }
        }
    }

    private func declare(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, isConfirmed: Bool = false
    ) {
        declared["\(method) \(RouterPath("v1/" + path))"] = access.words + (isConfirmed ? ["confirmed"] : [])
        if access.isAlwaysServed { alwaysServed.append((method, "v1/" + path)) }
    }
}

/// What Hummingbird keeps for a request, and the connection it came on.
struct ServiceContext: RequestContext {
    struct Source: RequestContextSource {
        let connection: Connection
        let logger: Logger
    }

    var coreContext: CoreRequestContextStorage
    let connection: Connection

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = source.connection
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
            var methods = Set(routes.map(\.method))
            // The router makes it of the path's GET.
            if methods.contains(.get) { methods.insert(.head) }
            let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
            for method in known where !methods.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ in
                    var response = try ErrorTranslation.response(
                        to: RouteError(.methodNotAllowed, "This path takes \(allowed) only."))
                    response.headers[.allow] = allowed
                    return method == .head ? response.createHeadResponse() : response
                }
            }
        }
    }
}
