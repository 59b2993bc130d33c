import Hummingbird
import NIOCore
import SocketAPI

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
