import RecognizerProtocol
import SocketAPI
import Speech

/// What a `transcribe` event asks for. `language`: `nil`: whatever is recognised.
struct WyomingRequest {
    var language: String?
    var told = TranscriptionRequest()

    init() {}

    /// Further keys, such as the name of a model, belong to other engines.
    ///
    /// - Throws: `RouteError` for values of the wrong type.
    init(_ event: WyomingEvent) throws(RouteError) {
        switch event.data["language"] {
        case nil, .null: break
        case .string(let text) where text.utf8.count <= 64: language = text.isEmpty ? nil : text
        default: throw RouteError(.badRequest, "The language of transcribe is a tag such as en or en-US.")
        }
        // Names come first, because they are what a person would miss most.
        let terms = try Self.texts(event, "transcript_names") + Self.texts(event, "transcript_terms")
        if !terms.isEmpty { told.contextPhrases = terms }
    }

    private static func texts(_ event: WyomingEvent, _ key: String) throws(RouteError) -> [String] {
        switch event.data[key] {
        case nil, .null: return []
        case .array(let values):
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { throw badTerms }
            return texts
        default: throw badTerms
        }
    }

    private static let badTerms = RouteError(
        .badRequest, "transcript_names and transcript_terms of transcribe are lists of texts.")
}
