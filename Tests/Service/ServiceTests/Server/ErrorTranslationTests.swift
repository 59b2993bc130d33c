import Authorization
import Consent
import Foundation
import Hummingbird
import LinuxSystem
import Logging
import NIOHTTP1
import Prompting
import SocketAPI
import Speech
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Server
@testable import SpeechRoutes

@Suite("Errors as HTTP statuses")
struct ErrorTranslationTests {
    private struct Surprise: Error {}

    private func refusal(
        _ code: RefusalCode, _ status: AuthorizationStatus = .restricted, retryAfter: Int64? = nil
    ) -> AuthorizationError {
        AuthorizationError(
            code: code, status: status, resource: .microphone, client: Samples.identifier("org.example.Editor"),
            message: "No.", settings: "voicegate settings", retryAfter: retryAfter)
    }

    private func expect(_ error: any Error, _ status: Int, _ code: ErrorCode) {
        let (actual, reply) = ErrorTranslation.answer(to: error)
        #expect(actual.code == status)
        #expect(reply.error.code == code.rawValue)
        #expect(!reply.error.message.isEmpty)
        #expect(reply.error.status == nil)
    }

    @Test(
        "a refusal is 403 with its code, its status and the command that helps; one that may pass says so",
        arguments: RefusalCode.allCases)
    func refusals(_ code: RefusalCode) {
        let (status, reply) = ErrorTranslation.answer(to: refusal(code))
        let passing: [RefusalCode: Int] = [
            .recordingFailed: 503, .tooManyRequests: 429, .alreadyFull: 409, .missingPurpose: 422,
        ]
        #expect(status.code == passing[code] ?? 403)
        #expect(reply.error.code == code.rawValue)
        #expect(reply.error.resource == .microphone)
        #expect(reply.error.client == "org.example.Editor")
        #expect(reply.error.settings == "voicegate settings")
        #expect(reply.error.status == .restricted)
    }

    @Test("the reply to a refused request has its status", arguments: AuthorizationStatus.allCases)
    func outcomes(_ outcome: AuthorizationStatus) throws {
        let refused: AuthorizationError? = refusal(.noAnswer, outcome)
        let error = #expect(throws: AuthorizationError.self) { try refused.check() }
        let (status, reply) = ErrorTranslation.answer(to: try #require(error))
        #expect(status == .forbidden)
        #expect(reply.error.status == outcome)
        #expect(reply.error.code == "noAnswer")
    }

    @Test("every code of a route has its status", arguments: ErrorCode.allCases)
    func routes(_ code: ErrorCode) throws {
        let statuses: [ErrorCode: Int] = [
            .badRequest: 400, .notAllowed: 403, .notFound: 404, .deviceBusy: 409, .tooLarge: 413, .badAudio: 415,
            .invalidValue: 422, .deviceUnavailable: 503, .recognizerUnavailable: 503, .storageUnavailable: 503,
            .busy: 429, .conflict: 409, .unavailable: 503, .internalError: 500, .tooEarly: 409, .outdated: 409,
            .methodNotAllowed: 405,
            .clientStalled: 408,
            .clientGone: 400, .serviceStalled: 503,
        ]
        expect(RouteError(code, "So."), try #require(statuses[code]), code)
    }

    @Test("every error of a device has its code", arguments: CaptureError.Code.allCases)
    func capture(_ code: CaptureError.Code) throws {
        let expected: [CaptureError.Code: (Int, ErrorCode)] = [
            .deviceNotFound: (503, .deviceUnavailable), .deviceLost: (503, .deviceUnavailable),
            .deviceHeld: (503, .deviceUnavailable),
            .deviceBusy: (409, .deviceBusy), .accessDenied: (503, .deviceUnavailable),
            .deviceNameRefused: (422, .invalidValue), .formatNotSupported: (422, .invalidValue),
            .inputOutput: (503, .deviceUnavailable), .permissionEnded: (403, .notAllowed),
        ]
        let (status, translated) = try #require(expected[code])
        expect(CaptureError(code: code, device: "default", message: "So."), status, translated)
    }

    @Test("every error of a recogniser has its code", arguments: RecognitionError.Code.allCases)
    func recognition(_ code: RecognitionError.Code) {
        let expected: [RecognitionError.Code: (Int, ErrorCode)] = [
            .badAudio: (415, .badAudio), .busy: (429, .busy), .permissionEnded: (403, .notAllowed),
            .phraseRefused: (422, .invalidValue), .grammarRefused: (422, .invalidValue),
            .wordsRefused: (422, .invalidValue), .languageUnavailable: (422, .invalidValue),
            .optionUnavailable: (422, .invalidValue),
            .workerHung: (503, .serviceStalled),
        ]
        let (status, translated) = expected[code] ?? (503, .recognizerUnavailable)
        expect(RecognitionError(code: code, message: "So."), status, translated)
    }

    @Test("errors of the other modules")
    func others() {
        expect(PromptingError(code: .notPermitted, message: "So."), 403, .notAllowed)
        expect(PromptingError(code: .unknownPrompt, message: "So."), 404, .notFound)
        expect(ProcessError(code: .vanished, message: "So."), 403, .notAllowed)
        expect(UploadError.clientStalled, 408, .clientStalled)
        expect(UploadError.clientGone, 400, .clientGone)
        expect(ConsentError(code: .notRecorded, message: "So."), 503, .storageUnavailable)
        expect(StorageError(code: .full, message: "So."), 503, .storageUnavailable)
        expect(SessionAbandoned(ending: .serviceStopped), 503, .unavailable)
        expect(SessionAbandoned(ending: .cancelled), 409, .conflict)
        expect(ProcessError(code: .busy, message: "So."), 503, .unavailable)
        expect(HTTPParserError.invalidEOFState, 400, .badRequest)
        expect(HTTPError(.contentTooLarge), 413, .tooLarge)
        expect(HTTPError(.notFound), 404, .notFound)
        expect(HTTPError(.methodNotAllowed), 405, .badRequest)
    }

    @Test("a condition that passes by itself says when to ask again; in a form it has the same status")
    func passing() throws {
        let errors: [(any Error, status: Int, seconds: String?)] = [
            (RouteError(.busy, "So."), 429, "5"), (RouteError(.unavailable, "So."), 503, "1"),
            (refusal(.tooManyRequests), 429, "30"), (RouteError(.conflict, "So."), 409, nil),
            (refusal(.tooManyRequests, retryAfter: 600), 429, "600"),
            (RecordQuotaExceeded(user: 1000, seconds: 9), 429, "9"),
            (RouteError(.storageUnavailable, "So."), 503, nil), (refusal(.denied), 403, nil),
        ]
        for (error, status, seconds) in errors {
            let problem = try Problem(error)
            #expect(problem.status.code == status)
            #expect(problem.fields[.retryAfter] == seconds)
        }
        #expect(OpenAIErrors.answer(to: RouteError(.busy, "So.")).status == .tooManyRequests)
        #expect(OpenAIErrors.answer(to: RouteError(.unavailable, "So.")).status == .serviceUnavailable)
    }

    @Test("an error's body is a problem (RFC 9457) with the error in its own and in OpenAI's form")
    func problem() throws {
        let problem = try Problem(RouteError(.badAudio, "No sound."))
        #expect(problem.fields[.contentType] == "application/problem+json")
        #expect(
            String(buffer: problem.body) == """
                {"detail":"No sound.","error":{"code":"badAudio","message":"No sound."},"status":415,\
                "title":"Unsupported Media Type","type":"urn:voicegate:error:badAudio"}

                """)
        let form = OpenAIErrors.answer(to: RouteError(.badAudio, "No sound.")).error
        #expect(form.type == "urn:voicegate:error:badAudio")
        #expect(form.status == 400)
        #expect(form.title == "Bad Request")
        #expect(form.detail == "No sound.")
    }

    @Test("a body that its client does not send to the end in time is 408, also in JSON")
    func slowBody() async throws {
        let (body, source) = RequestBody.makeStream()
        source.finish(UploadError.clientStalled)
        let request = Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/dictation"), body: body)
        let error = await #expect(throws: (any Error).self) { try await request.json(DictationRequest.self) }
        #expect(ErrorTranslation.answer(to: try #require(error)).0 == .requestTimeout)
    }

    @Test("a field of the wrong type is 400, an unknown word or a value out of range 422")
    func values() throws {
        func code(_ json: String) -> ErrorCode? {
            do {
                _ = try Request.json(MonitorRequest.self, Data(json.utf8))
                return nil
            } catch { return error.code }
        }
        #expect(code(#"{"kind":"soundBegan","action":"start","later":1}"#) == nil)
        #expect(code(#"{"kind":"soundBegan","action":"sing"}"#) == .invalidValue)
        #expect(code(#"{"kind":7,"action":"start"}"#) == .badRequest)
        #expect(code(#"{"kind":"soundBegan"}"#) == .badRequest)
        #expect(code("{") == .badRequest)
        let time = #expect(throws: RouteError.self) {
            try Request.json(RecordErasureRequest.self, Data(#"{"before":"yesterday"}"#.utf8))
        }
        #expect(time?.code == .invalidValue)
        let scope = #expect(throws: RouteError.self) {
            try Request.json(AuthorizationRequest.self, Data(#"{"scope":"forever"}"#.utf8))
        }
        #expect(scope?.message == "“scope” must be one of once, whileInUse, always.", "\(scope?.message ?? "")")
    }

    @Test("an unexpected error is 500, and its text is not sent")
    func surprise() {
        expect(Surprise(), 500, .internalError)
        #expect(!ErrorTranslation.answer(to: Surprise()).1.error.message.contains("Surprise"))
    }

    /// Keeps what is logged.
    private struct Lines: LogHandler {
        let lines: Mutexed
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        final class Mutexed: Sendable { let texts = Mutex<[String]>([]) }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.texts.withLock { $0.append("\(event.metadata?["user"] ?? "") \(event.metadata?["repeated"] ?? "")") }
        }
    }

    @Test("a failure that a user's client repeats is logged once a minute, and another user's is logged")
    func repeated() {
        let lines = Lines.Mutexed()
        let logger = Logger(label: "test") { _ in Lines(lines: lines) }
        let reports = FailureReports()
        let begin = Date(timeIntervalSince1970: 1_790_000_000)
        func report(_ user: UInt32, after seconds: Double) {
            reports.report(
                CancellationError(), of: user, path: "/v1/history", to: logger, at: begin + seconds)
        }
        for second in 0..<30 { report(1000, after: Double(second)) }
        report(1001, after: 31)
        report(1000, after: 61)
        #expect(lines.texts.withLock { $0 } == ["1000 0", "1001 0", "1000 29"])
    }
}
