import Authorization
import Engines
import Foundation
import Hummingbird
import Logging
import Server
import SocketAPI
import Speech

/// The engines that recognise sound files, as models of OpenAI's calls. A call's language chooses among them; its model does
/// not.
struct ServedModels: Sendable {
    /// OpenAI's names of models, for tools that cannot be configured, and two that are VoiceGate's.
    static let aliases = [
        "whisper-1", "gpt-transcribe", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize",
        "voicegate", "default",
    ]

    let engines: FileEngines

    /// The first is that of a call which names no language, and has the aliases.
    var all: [OpenAIModel] {
        engines.all.enumerated().map { OpenAIModel($1, aliases: $0 == 0 ? Self.aliases : []) }
    }

    /// - Parameter name: also an alias with the date of a version, such as gpt-4o-mini-transcribe-2025-12-15.
    func model(_ name: String) -> OpenAIModel? {
        let undated = name.replacing(/-[0-9]{4}-[0-9]{2}-[0-9]{2}$/, with: "")
        return all.first { $0.id == name || $0.aliases.contains(name) || $0.aliases.contains(undated) }
    }

    func unknown(_ name: String) -> String {
        "There is no model “\(name.prefix(80))” here, only \(all.map(\.id).joined(separator: ", "))."
    }

    /// A call's `language`: a tag, or an English name.
    ///
    /// - Parameter isLate: the engine was chosen without the language.
    /// - Throws: `invalidValue` if it is not a language, or one that the engines do not declare. One that declares none has any.
    func language(_ text: String, isLate: Bool) throws(RouteError) -> SpokenLanguage {
        guard let language = SpokenLanguage(named: text) else {
            throw RouteError(
                .invalidValue,
                "“\(text.prefix(40))” is not a language. Write a tag such as en or en-US, or an English name. Installed: "
                    + "\(engines.installedLanguages).")
        }
        let (all, usual) = engines.languages
        if let spoken = isLate ? usual : all, !spoken.contains(language.code) {
            throw RouteError(
                .invalidValue,
                "The recogniser does not support the language “\(text.prefix(40))”. Installed: \(engines.installedLanguages)."
                    + (isLate ? " Put the file last." : ""))
        }
        return language
    }

    /// The English name in lower case, as Whisper writes it, of a call's language, or of the only one of its engine.
    func name(of language: SpokenLanguage?) -> String {
        let usual = engines.languages.usual ?? []
        let only = usual.count == 1 ? SpokenLanguage(tag: usual[0]) : nil
        return (language ?? only).map { $0.name ?? $0.code } ?? "unknown"
    }
}

extension OpenAIModel {
    fileprivate init(_ engine: ServedEngine, aliases: [String]) {
        let source = engine.source
        let attributes = source.folder.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
        let date = attributes?[.modificationDate] as? Date
        self.init(
            id: source.id, created: Int(date?.timeIntervalSince1970 ?? 0), ownedBy: source.package ?? "local",
            name: engine.identity.name, version: engine.identity.version, languages: engine.languages,
            aliases: aliases)
    }
}

/// Errors in OpenAI's form. Its clients repeat a request after 408, 409, 429 and 5xx, unless `x-should-retry` is false, so a
/// refusal is always 403.
enum OpenAIErrors {
    @Sendable static func response(to error: any Error, _: Request, _ logger: Logger) throws -> Response {
        let answer = answer(to: error)
        if answer.status == .internalServerError {
            logger.error("a request failed", metadata: ["error": "\(error)"])
        }
        var response = try Problem(answer.error, answer.status, code: answer.error.error.reason).response
        response.headers[.shouldRetry] = answer.isWorthRetrying ? "true" : "false"
        return response
    }

    static func answer(to error: any Error) -> (status: HTTPResponse.Status, error: OpenAIError, isWorthRetrying: Bool)
    {
        var (_, reply) = ErrorTranslation.answer(to: error)
        let field = (error as? RouteError)?.field.map { String($0.prefix(80)) }
        let (status, code) = answer(to: reply.error.code)
        reply.setProblem(status: status.code, title: status.reasonPhrase)
        let isLasting = (error as? RecognitionError)?.code == .modelUnavailable
        let mayPass = ErrorReply.answer(with: reply.error.code)?.retryAfter != nil
        return (
            status, OpenAIError(reply, code: code, parameter: field ?? (code == .invalidFile ? "file" : nil)),
            code == .busy || status == .serviceUnavailable && mayPass
                || code == .recognizerUnavailable && !isLasting
        )
    }

    /// - Parameter reason: the code of VoiceGate's own calls.
    private static func answer(to reason: String) -> (HTTPResponse.Status, OpenAIErrorCode) {
        if let refusal = RefusalCode(rawValue: reason) {
            return refusal == .recordingFailed
                ? (.serviceUnavailable, .storageUnavailable) : (.forbidden, .permissionDenied)
        }
        return switch ErrorCode(rawValue: reason) {
        case .badRequest, .invalidValue, .methodNotAllowed, .clientGone: (.badRequest, .invalidValue)
        case .clientStalled: (.requestTimeout, .invalidValue)
        case .notAllowed: (.forbidden, .permissionDenied)
        case .notFound: (.notFound, .modelNotFound)
        case .tooLarge: (.contentTooLarge, .tooLarge)
        case .badAudio: (.badRequest, .invalidFile)
        case .deviceBusy, .busy, .tooEarly, .outdated, .conflict: (.tooManyRequests, .busy)
        case .deviceUnavailable, .recognizerUnavailable, .serviceStalled, .unavailable:
            (.serviceUnavailable, .recognizerUnavailable)
        case .storageUnavailable: (.serviceUnavailable, .storageUnavailable)
        case .internalError, nil: (.internalServerError, .internalError)
        }
    }
}
