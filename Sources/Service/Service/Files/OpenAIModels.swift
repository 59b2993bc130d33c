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
    /// The codes of the languages that files can be recognised in, and of those of the engine that does it if a call names
    /// none; `nil`: any.
    private let languagesNow: @Sendable () -> (all: [String]?, usual: [String]?)

    /// - Parameter isOurEngine: whether VoiceGate's own recogniser loads the folder; another engine's model is unknown.
    init(_ library: ModelLibrary, folder: String, isOurEngine: Bool, _ router: EngineRouter) {
        languagesNow = { router.languagesOfFiles }
        let (added, known) = library.known(folder)
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

    /// A call's `language`: a code, with or without a region, or an English name.
    func language(_ text: String) -> SpokenLanguage? {
        if let language = SpokenLanguage(tag: text) { return language }
        let known = (languagesNow().all ?? []) + (own.map { [$0] } ?? [])
        return known.first { Self.name(of: $0) == text.lowercased() }.flatMap { SpokenLanguage(tag: $0) }
    }

    /// Whether files can be recognised in a call's `language`. If an engine does not declare its languages, any fits.
    ///
    /// - Parameter isLate: the engine was chosen without the language.
    func speaks(_ text: String, isLate: Bool) -> Bool {
        let (all, usual) = languagesNow()
        guard let spoken = isLate ? usual : all else { return true }
        return language(text).map { spoken.contains($0.code) } ?? false
    }

    var languages: String { languagesNow().all?.joined(separator: ", ") ?? "any" }

    /// The language's English name in lower case, as Whisper writes it.
    var name: String {
        own.map(Self.name) ?? "unknown"
    }

    private static func name(of code: String) -> String {
        Locale(identifier: "en").localizedString(forLanguageCode: code)?.lowercased() ?? code
    }

    private var own: String? { description.language.map(Self.code) }

    static func code(of language: String) -> String {
        String(language.lowercased().prefix { $0 != "-" && $0 != "_" })
    }
}

extension ModelLibrary {
    /// The user's own model in a folder, and what the catalogue knows about the folder's model.
    func known(_ folder: String) -> (added: PinnedModel?, entry: CatalogueEntry?) {
        let added = added().first { (try? self.folder(of: $0.id)) == folder }
        let entry = catalogue.models.first { $0.folder == folder }
        return (added, added.flatMap { catalogue.entry($0.id) } ?? entry)
    }

    /// BCP 47; `nil` if unknown.
    func language(of folder: String) -> String? { known(folder).entry?.language }
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
