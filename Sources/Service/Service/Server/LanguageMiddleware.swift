import Authorization
import Hummingbird

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
