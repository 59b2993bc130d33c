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

@testable import Service

@Suite("Errors as HTTP statuses")
struct ErrorTranslationTests {
    private struct Surprise: Error {}

    private func refusal(_ code: RefusalCode) -> AuthorizationError {
        AuthorizationError(
            code: code, status: .restricted, resource: .microphone, client: Samples.identifier("org.example.Editor"),
            message: "No.", settings: "voicegate settings")
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
            .recordingFailed: 503, .tooManyRequests: 409, .alreadyFull: 409, .missingPurpose: 422,
        ]
        #expect(status.code == passing[code] ?? 403)
        #expect(reply.error.code == code.rawValue)
        #expect(reply.error.resource == .microphone)
        #expect(reply.error.client == "org.example.Editor")
        #expect(reply.error.settings == "voicegate settings")
        #expect(reply.error.status == .restricted)
    }

    @Test("the reply to a refused request has its status", arguments: AuthorizationStatus.allCases)
    func outcomes(_ outcome: AuthorizationStatus) {
        let (status, reply) = ErrorTranslation.answer(to: RefusedOutcome(status: outcome, refusal: refusal(.noAnswer)))
        #expect(status == .forbidden)
        #expect(reply.error.status == outcome)
        #expect(reply.error.code == "noAnswer")
    }

    @Test("every code of a route has its status", arguments: ErrorCode.allCases)
    func routes(_ code: ErrorCode) throws {
        let statuses: [ErrorCode: Int] = [
            .badRequest: 400, .notAllowed: 403, .notFound: 404, .deviceBusy: 409, .tooLarge: 413, .badAudio: 415,
            .invalidValue: 422, .deviceUnavailable: 503, .recognizerUnavailable: 503, .storageUnavailable: 503,
            .busy: 409, .internalError: 500, .tooEarly: 409, .outdated: 409, .methodNotAllowed: 405,
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
            .badAudio: (415, .badAudio), .busy: (409, .busy), .permissionEnded: (403, .notAllowed),
            .phraseRefused: (422, .invalidValue), .grammarRefused: (422, .invalidValue),
            .wordsRefused: (422, .invalidValue), .languageUnavailable: (422, .invalidValue),
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
        expect(SessionAbandoned(ending: .serviceStopped), 409, .busy)
        expect(HTTPParserError.invalidEOFState, 400, .badRequest)
        expect(HTTPError(.contentTooLarge), 413, .tooLarge)
        expect(HTTPError(.notFound), 404, .notFound)
        expect(HTTPError(.methodNotAllowed), 405, .badRequest)
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
