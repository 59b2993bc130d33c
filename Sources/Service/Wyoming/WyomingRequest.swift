import Recognition
import SocketAPI
import Wyoming

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
        switch event.data["transcript_terms"] {
        case nil, .null: break
        case .array(let terms):
            let texts = terms.compactMap(\.string)
            guard texts.count == terms.count else { throw Self.badTerms }
            told.contextPhrases = texts
        default: throw Self.badTerms
        }
    }

    private static let badTerms = RouteError(.badRequest, "transcript_terms of transcribe is a list of texts.")
}
