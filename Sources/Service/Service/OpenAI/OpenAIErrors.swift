import Authorization
import Hummingbird
import Logging
import SocketAPI
import Speech

/// Errors as OpenAI's clients read them. Those try again by themselves after 408, 409, 429 and 5xx, unless
/// `x-should-retry` says that it is of no use; so a refusal is always 403.
enum OpenAIErrors {
    static func response(to error: any Error, _ logger: Logger) throws -> Response {
        let answer = answer(to: error)
        if answer.status == .internalServerError {
            logger.error("a request failed", metadata: ["error": "\(error)"])
        }
        var response = try Response(status: answer.status, json: answer.error)
        response.headers[.shouldRetry] = answer.isWorthRetrying ? "true" : "false"
        return response
    }

    static func answer(to error: any Error) -> (status: HTTPResponse.Status, error: OpenAIError, isWorthRetrying: Bool)
    {
        let (_, reply) = ErrorTranslation.answer(to: error)
        let field = (error as? RouteError)?.field.map { String($0.prefix(80)) }
        let code = code(of: reply.error.code, field: field)
        let isLasting = (error as? RecognitionError)?.code == .modelUnavailable
        return (
            status(of: code), OpenAIError(reply, code: code, parameter: field ?? (code == .invalidFile ? "file" : nil)),
            code == .busy || code == .recognizerUnavailable && !isLasting
        )
    }

    private static func code(of reason: String, field: String?) -> OpenAIErrorCode {
        if let refusal = RefusalCode(rawValue: reason) {
            return refusal == .recordingFailed ? .storageUnavailable : .permissionDenied
        }
        return switch ErrorCode(rawValue: reason) {
        case .badRequest, .invalidValue, .methodNotAllowed: .invalidValue
        case .notAllowed: .permissionDenied
        case .notFound: .modelNotFound
        case .tooLarge: .tooLarge
        case .badAudio: .invalidFile
        case .deviceBusy, .busy, .tooEarly: .busy
        case .deviceUnavailable, .recognizerUnavailable: .recognizerUnavailable
        case .storageUnavailable: .storageUnavailable
        case .internalError, nil: .internalError
        }
    }

    private static func status(of code: OpenAIErrorCode) -> HTTPResponse.Status {
        switch code {
        case .permissionDenied: .forbidden
        case .invalidValue, .invalidFile: .badRequest
        case .modelNotFound: .notFound
        case .tooLarge: .contentTooLarge
        case .busy: .tooManyRequests
        case .recognizerUnavailable, .storageUnavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }
}

extension HTTPFields.Element.Name {
    /// What OpenAI's clients obey before they look at the status.
    static var shouldRetry: Self {
        guard let name = Self("x-should-retry") else { preconditionFailure("no name of a field") }
        return name
    }
}
