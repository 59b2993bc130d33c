import Authorization
import Foundation
import Hummingbird
import Logging
import SocketAPI
import Speech
import SpeechModels

/// The model that recognisers load, as OpenAI's calls name it. A call cannot choose another.
struct ServedModel: Sendable {
    /// OpenAI's names of models, for tools that cannot be configured, and two of our own.
    static let aliases = [
        "whisper-1", "gpt-transcribe", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "voicegate", "default",
    ]

    let description: OpenAIModel

    /// - Parameter isOurEngine: whether VoiceGate's own recogniser loads the folder; another engine's model is unknown.
    init(_ library: ModelLibrary, folder: String, isOurEngine: Bool) {
        let entry = library.catalogue.models.first { $0.folder == folder }
        let added = library.added().first { (try? library.folder(of: $0.id)) == folder }
        let known = added.flatMap { library.catalogue.entry($0.id) } ?? entry
        let date = try? FileManager.default.attributesOfItem(atPath: folder)[.modificationDate] as? Date
        description = OpenAIModel(
            id: isOurEngine ? added?.id ?? known?.id ?? "local" : "engine",
            created: Int(date?.timeIntervalSince1970 ?? 0), ownedBy: (isOurEngine ? known?.package : nil) ?? "local",
            language: isOurEngine ? known?.language : nil, aliases: Self.aliases)
    }

    func unknown(_ name: String) -> String {
        "There is no model “\(name.prefix(80))” here, only \(description.id)."
    }

    func isCalled(_ name: String) -> Bool { name == description.id || Self.aliases.contains(name) }

    /// Whether a call's `language` is the model's: its code, with or without a region, or its English name. If the model's
    /// language is unknown, any fits.
    func speaks(_ language: String) -> Bool {
        guard let own else { return true }
        return Self.code(of: language) == own || language.lowercased() == name
    }

    var languages: String { own ?? "any" }

    /// The language's English name in lower case, as Whisper writes it.
    var name: String {
        guard let own else { return "unknown" }
        return Locale(identifier: "en").localizedString(forLanguageCode: own)?.lowercased() ?? own
    }

    private var own: String? { description.language.map(Self.code) }

    static func code(of language: String) -> String {
        String(language.lowercased().prefix { $0 != "-" && $0 != "_" })
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
        var response = try Response(status: answer.status, json: answer.error)
        response.headers[.shouldRetry] = answer.isWorthRetrying ? "true" : "false"
        return response
    }

    static func answer(to error: any Error) -> (status: HTTPResponse.Status, error: OpenAIError, isWorthRetrying: Bool)
    {
        let (_, reply) = ErrorTranslation.answer(to: error)
        let field = (error as? RouteError)?.field.map { String($0.prefix(80)) }
        let (status, code) = answer(to: reply.error.code)
        let isLasting = (error as? RecognitionError)?.code == .modelUnavailable
        return (
            status, OpenAIError(reply, code: code, parameter: field ?? (code == .invalidFile ? "file" : nil)),
            code == .busy || code == .recognizerUnavailable && !isLasting
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
        case .deviceBusy, .busy, .tooEarly, .outdated: (.tooManyRequests, .busy)
        case .deviceUnavailable, .recognizerUnavailable, .serviceStalled: (.serviceUnavailable, .recognizerUnavailable)
        case .storageUnavailable: (.serviceUnavailable, .storageUnavailable)
        case .internalError, nil: (.internalServerError, .internalError)
        }
    }
}
