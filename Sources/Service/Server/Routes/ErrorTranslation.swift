import Authorization
import Base
import Consent
import Foundation
import Hummingbird
import LinuxSystem
import Logging
import NIOCore
import NIOHTTP1
import Prompting
import Retention
import SocketAPI
import Speech
import Storage
import Synchronization

/// The one place where errors become HTTP statuses and codes.
package enum ErrorTranslation {
    package static func answer(to error: any Error) -> (HTTPResponse.Status, ErrorReply) {
        var (status, reply) = translation(of: error)
        // Names of files and programs in it come from outside, and commands print it.
        reply.error.message = DisplayText.escaped(reply.error.message)
        reply.setProblem(status: status.code, title: status.reasonPhrase)
        return (status, reply)
    }

    private static func translation(of error: any Error) -> (HTTPResponse.Status, ErrorReply) {
        switch error {
        case let error as AuthorizationError:
            return (status(error.code.answer), ErrorReply(error))
        case let error as SessionAbandoned:
            let message = "The session was cancelled before it started (\(error.ending.rawValue))."
            return answer(error.ending == .serviceStopped ? .unavailable : .conflict, message)
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
            guard let code = code(of: error) else {
                return answer(.internalError, "The service failed at this request; see its log.")
            }
            let isFullBook = (error as? MonitorError)?.code == .tooMany
            return answer(code, "\(error)" + (isFullBook ? " Remove one: voicegate monitor remove ID" : ""))
        }
    }

    static func response(to error: any Error) throws -> Response { try Problem(error).response }

    private static func answer(_ code: ErrorCode, _ message: String) -> (HTTPResponse.Status, ErrorReply) {
        (status(code.answer), ErrorReply(code: code.rawValue, message: message))
    }

    /// HTTPTypes has the phrases by name only.
    private static func status(_ answer: ErrorAnswer) -> HTTPResponse.Status {
        let statuses: [HTTPResponse.Status] = [
            .badRequest, .forbidden, .notFound, .methodNotAllowed, .requestTimeout, .conflict, .contentTooLarge,
            .unsupportedMediaType, .unprocessableContent, .tooManyRequests, .serviceUnavailable,
        ]
        return statuses.first { $0.code == answer.httpStatus } ?? .internalServerError
    }

    /// The code of an error whose description is a message for the caller; `nil` for any other error.
    private static func code(of error: any Error) -> ErrorCode? {
        switch error {
        case let error as RouteError: error.code
        case let error as UploadError: error.code == .clientStalled ? .clientStalled : .clientGone
        case let error as ProcessError: [.busy, .unanswered].contains(error.code) ? .unavailable : .notAllowed
        case is PolkitError: .notAllowed
        case let error as UnrecordedRevocation: code(of: error.reason)
        case is RecordQuotaExceeded: .busy
        case is StorageError: .storageUnavailable
        case is ManifestError: .invalidValue
        case let error as ManifestInstallationError:
            switch error.code {
            case .taken: .invalidValue
            case .failed: .storageUnavailable
            }
        case let error as RetentionError: error.code == .unknown ? .notFound : .storageUnavailable
        case let error as MonitorError:
            error.code == .tooMany ? .conflict : .invalidValue
        case let error as ConsentError:
            switch error.code {
            case .noSuchRecord: .notFound
            case .badCheckpoint: .invalidValue
            case .corrupt, .notRecorded, .failed, .tooLarge, .logLost, .checkpointLost, .keyLost, .rolledBack, .forked,
                .notSigning:
                .storageUnavailable
            }
        case let error as VerifiedFolderError:
            switch error.code {
            case .absent: .notFound
            case .damaged, .unknown, .unusable, .exists: .invalidValue
            case .inUse: .conflict
            case .inputOutput: .storageUnavailable
            }
        case let error as PromptingError:
            switch error.code {
            case .notPermitted: .notAllowed
            case .notOffered: .invalidValue
            case .tooEarly: .tooEarly
            case .noAnswer, .interrupted, .noAgent, .notTerminal, .badScript, .unknownPrompt, .noDesktop: .notFound
            }
        case let error as CaptureError:
            switch error.code {
            case .deviceBusy: .deviceBusy
            case .deviceNameRefused, .formatNotSupported: .invalidValue
            case .deviceNotFound, .deviceLost, .accessDenied, .inputOutput, .deviceHeld: .deviceUnavailable
            case .permissionEnded: .notAllowed
            }
        case let error as RecognitionError:
            switch error.code {
            case .badAudio: .badAudio
            case .busy: .busy
            case .phraseRefused, .grammarRefused, .wordsRefused, .languageUnavailable, .optionUnavailable: .invalidValue
            case .permissionEnded: .notAllowed
            case .workerHung: .serviceStalled
            case .modelUnavailable, .workerDied, .decodingFailed, .workerUnavailable, .protocolViolation:
                .recognizerUnavailable
            }
        default: nil
        }
    }
}

/// The answer to an error (RFC 9457).
package struct Problem {
    let status: HTTPResponse.Status
    var fields: HTTPFields
    let body: ByteBuffer

    init(_ error: any Error) throws {
        let (status, reply) = ErrorTranslation.answer(to: error)
        try self.init(reply, status, code: reply.error.code)
        let cause = (error as? UnrecordedRevocation)?.reason ?? error
        if let seconds = (error as? AuthorizationError)?.retryAfter ?? (cause as? RecordQuotaExceeded)?.seconds {
            fields[.retryAfter] = "\(seconds)"
        }
    }

    /// - Parameters:
    ///   - reply: with the members of RFC 9457.
    ///   - status: as in the reply.
    ///   - code: of an `ErrorReply`.
    package init(_ reply: some Encodable, _ status: HTTPResponse.Status, code: String) throws {
        self.status = status
        body = try Response.line(reply, JSONCoding.encoder())
        fields = [.contentType: "application/problem+json", .contentLength: "\(body.readableBytes)"]
        if let seconds = ErrorReply.answer(with: code)?.retryAfter { fields[.retryAfter] = "\(seconds)" }
    }

    package var response: Response { Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body)) }
}

/// Answers each error of a route with an `ErrorReply` and its status.
struct ErrorMiddleware: RouterMiddleware {
    private let failures = FailureReports()

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            var response = try ErrorTranslation.response(to: error)
            // An answer to HEAD has no body, whatever its headers say.
            if request.method == .head { response = response.createHeadResponse() }
            if response.status == .internalServerError {
                let user = context.connection.peer.caller.user
                failures.report(error, of: user, path: request.uri.path, to: context.logger)
            }
            return response
        }
    }
}

/// Logs requests that failed. A client can repeat one without end, such as by leaving while a password is asked for, so the same
/// failure of a user's requests is logged once a minute.
final class FailureReports: Sendable {
    private struct Kind: Hashable {
        let user: UInt32
        let error: String
    }

    /// Seconds.
    private static let interval = 60.0

    private let throttle = Mutex(Throttle<Kind>())

    func report(_ error: any Error, of user: UInt32, path: String, to logger: Logger, at now: Date = Date()) {
        let kind = Kind(user: user, error: "\(error)")
        guard let repeated = throttle.withLock({ $0.reports(kind, at: now, interval: Self.interval) }) else { return }
        logger.error(
            "a request failed",
            metadata: ["path": "\(path)", "error": "\(kind.error)", "user": "\(user)", "repeated": "\(repeated)"])
    }
}

/// An error that a route finds itself.
package struct RouteError: Error, CustomStringConvertible {
    package let code: ErrorCode
    package let message: String
    /// The field of a form that it is about.
    package let field: String?

    package var description: String { message }

    package init(_ code: ErrorCode, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}

extension RouteError {
    /// A program could run the command line detached, so only a command in the foreground may allow more.
    package static func onlyInForeground(_ act: String = "allow more") -> RouteError {
        RouteError(
            .notAllowed, "Only a command in the foreground of a terminal or of the desktop may \(act). Run it there.")
    }
}

/// Something that revokes, and took effect before it could not be recorded. It stays in effect until the service ends.
package struct UnrecordedRevocation: Error, CustomStringConvertible {
    /// The ledger's.
    package let reason: any Error

    package var description: String {
        "It is in force until the service ends, but is not recorded. Do it again once it can be: \(reason)"
    }

    /// - Parameter revoke: throws the ledger's errors only after it took effect.
    package static func reporting<Value>(_ revoke: () async throws -> Value) async throws -> Value {
        do {
            return try await revoke()
        } catch  where error is ConsentError || error is RecordQuotaExceeded {
            throw UnrecordedRevocation(reason: error)
        }
    }
}
