import Authorization
import Consent
import Hummingbird
import LinuxSystem
import Logging
import NIOHTTP1
import Prompting
import Retention
import SocketAPI
import Speech
import SpeechModels
import Storage

/// The one place where errors become HTTP statuses and codes.
enum ErrorTranslation {
    static func answer(to error: any Error) -> (HTTPResponse.Status, ErrorReply) {
        switch error {
        case let error as AuthorizationError:
            return (status(of: error.code), ErrorReply(error, status: authorizationStatus(of: error.code)))
        case let error as RefusedOutcome:
            return (status(of: error.refusal.code), ErrorReply(error.refusal, status: error.status))
        case let error as SessionAbandoned:
            return answer(.busy, "The session was cancelled before it started (\(error.ending.rawValue)).")
        case let error as CaptureError:
            return answer(captureCode(error.code), error.message)
        case let error as RecognitionError:
            return answer(recognitionCode(error.code), error.message)
        case let error as SpeechModelError:
            return answer(modelCode(error.code), error.message)
        case let error as EnrolmentError:
            return answer(enrolmentCode(error.code), error.message)
        case let error as PromptingError:
            return answer(promptingCode(error.code), error.message)
        case let error as PolkitError:
            return answer(.notAllowed, error.message)
        case let error as RouteError:
            return answer(error.code, error.message)
        case let error as MonitorError:
            return answer(
                error.code == .unknown ? .notFound : error.code == .tooMany ? .busy : .invalidValue, error.message)
        case let error as ProcessError:
            return answer(.notAllowed, error.message)
        case let error as ConsentError:
            return answer(consentCode(error.code), "\(error)")
        case let error as StorageError:
            return answer(.storageUnavailable, "\(error)")
        case let error as RetentionError:
            return answer(error.code == .unknown ? .notFound : .storageUnavailable, error.message)
        case let error as HTTPError where error.status == .contentTooLarge:
            return answer(.tooLarge, "The body is too large.")
        case let error as HTTPError where error.status == .notFound:
            return answer(.notFound, "There is no such path. GET /v1/openapi.json lists all paths.")
        case let error as HTTPError:
            return (
                error.status,
                ErrorReply(code: ErrorCode.badRequest.rawValue, message: error.body ?? error.status.reasonPhrase)
            )
        case is HTTPParserError:
            return answer(.badRequest, "The request's body does not match its headers.")
        default:
            return answer(.internalError, "The service failed at this request; see its log.")
        }
    }

    private static func answer(_ code: ErrorCode, _ message: String) -> (HTTPResponse.Status, ErrorReply) {
        (status(of: code), ErrorReply(code: code.rawValue, message: message))
    }

    private static func status(of code: ErrorCode) -> HTTPResponse.Status {
        switch code {
        case .badRequest: .badRequest
        case .notAllowed: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .deviceBusy, .busy, .tooEarly: .conflict
        case .tooLarge: .contentTooLarge
        case .badAudio: .unsupportedMediaType
        case .invalidValue: .unprocessableContent
        case .deviceUnavailable, .recognizerUnavailable, .storageUnavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    private static func consentCode(_ code: ConsentError.Code) -> ErrorCode {
        switch code {
        case .noSuchRecord: .notFound
        case .badCheckpoint: .invalidValue
        case .corrupt, .notRecorded, .failed, .tooLarge, .rolledBack, .forked, .notSigning: .storageUnavailable
        }
    }

    private static func modelCode(_ code: SpeechModelError.Code) -> ErrorCode {
        switch code {
        case .absent: .notFound
        case .damaged, .unknown, .unusable, .exists: .invalidValue
        case .inUse: .busy
        case .inputOutput: .storageUnavailable
        }
    }

    private static func enrolmentCode(_ code: EnrolmentError.Code) -> ErrorCode {
        switch code {
        case .busy: .busy
        case .badAudio: .badAudio
        case .tooLittle: .invalidValue
        case .tooMuch: .tooLarge
        case .toolMissing, .toolFailed, .modelUnavailable, .noMemory, .failed, .protocolViolation, .cancelled:
            .recognizerUnavailable
        }
    }

    private static func promptingCode(_ code: PromptingError.Code) -> ErrorCode {
        switch code {
        case .notPermitted: .notAllowed
        case .notOffered: .invalidValue
        case .tooEarly: .tooEarly
        case .noAnswer, .interrupted, .noAgent, .notTerminal, .badScript, .unknownPrompt, .noDesktop: .notFound
        }
    }

    private static func captureCode(_ code: CaptureError.Code) -> ErrorCode {
        switch code {
        case .deviceBusy: .deviceBusy
        case .deviceNameRefused, .formatNotSupported: .invalidValue
        case .deviceNotFound, .deviceLost, .accessDenied, .inputOutput: .deviceUnavailable
        case .permissionEnded: .notAllowed
        }
    }

    private static func recognitionCode(_ code: RecognitionError.Code) -> ErrorCode {
        switch code {
        case .badAudio: .badAudio
        case .busy: .busy
        case .phraseRefused, .grammarRefused, .wordsRefused: .invalidValue
        case .permissionEnded: .notAllowed
        case .modelUnavailable, .workerDied, .workerHung, .workerUnavailable, .protocolViolation: .recognizerUnavailable
        }
    }

    /// A refusal is 403, unless asking again later may help.
    private static func status(of code: RefusalCode) -> HTTPResponse.Status {
        switch code {
        case .recordingFailed: .serviceUnavailable
        case .tooManyRequests: .conflict
        case .alreadyFull: .conflict
        case .missingPurpose: .unprocessableContent
        case .notDetermined, .denied, .restricted, .identityChanged, .missingUsageDescription, .noAnswer, .notInUse,
            .muted, .reducedFidelity, .untrusted:
            .forbidden
        }
    }

    private static func authorizationStatus(of code: RefusalCode) -> AuthorizationStatus {
        switch code {
        case .denied: .denied
        case .restricted, .muted: .restricted
        case .alreadyFull, .missingPurpose, .reducedFidelity: .authorized
        case .notDetermined, .identityChanged, .missingUsageDescription, .noAnswer, .tooManyRequests, .recordingFailed,
            .notInUse, .untrusted:
            .notDetermined
        }
    }
}

/// Answers each error of a route with an `ErrorReply` and its status.
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

/// An error that a route finds itself.
struct RouteError: Error, CustomStringConvertible {
    let code: ErrorCode
    let message: String
    /// The field of a form that it is about.
    let field: String?

    var description: String { message }

    init(_ code: ErrorCode, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}

extension RouteError {
    /// A program could run the command line detached, so only a command in the foreground may allow more.
    static let onlyInForeground = RouteError(
        .notAllowed, "Only a command in the foreground of a terminal or of the desktop may allow more. Run it there.")

    static let erasedOnlyInForeground = RouteError(
        .notAllowed, "Only a command in the foreground of a terminal or of the desktop may erase records. Run it there."
    )
}

/// A request for permission that was refused, as an error of its route.
struct RefusedOutcome: Error {
    let status: AuthorizationStatus
    let refusal: AuthorizationError
}
