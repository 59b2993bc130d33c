import Hummingbird
import Logging
import SocketAPI

/// Makes every error of a route an `ErrorReply` with its status.
struct ErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let (status, reply) = ErrorTranslation.answer(to: error)
            if status == .internalServerError {
                context.logger.error(
                    "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return try Response(status: status, json: reply)
        }
    }
}
