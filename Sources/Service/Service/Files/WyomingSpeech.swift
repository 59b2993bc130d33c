import Authorization
import RecognizerProtocol
import SocketAPI
import SpeechModels

/// The service's recogniser as Wyoming describes it.
struct WyomingSpeech: Sendable {
    /// The language of an answer.
    struct Language: Sendable {
        /// BCP 47; `nil`: unknown.
        let tag: String?
        var data: [String: WyomingValue] { tag.map { ["language": .string($0)] } ?? [:] }
    }

    struct Model: Sendable {
        let name: String
        let description: String
        let source: String
        /// BCP 47; empty: unknown.
        let languages: [String]
    }

    let model: Model

    /// - Parameters:
    ///   - folder: that recognisers load.
    ///   - language: from the configuration; `nil`: from the catalogue.
    init(modelFolder folder: String, language: String?, catalogue: ModelCatalogue) {
        let known = catalogue.models.first { $0.folder == folder }
        let name = known?.id ?? folder.split(separator: "/").last.map(String.init) ?? folder
        model = Model(
            name: name, description: known?.name ?? "A model of this machine",
            source: known?.source.split(separator: " ").first.map(String.init) ?? "file://\(folder)",
            languages: (language ?? known?.language).map { [$0] } ?? [])
    }

    /// - Parameter asked: the client's language; its region does not matter.
    /// - Throws: `RouteError` for a language that the model does not recognise.
    func language(for asked: String?) throws(RouteError) -> Language {
        guard let known = model.languages.first else { return Language(tag: asked) }
        guard let asked, Self.primary(asked) != Self.primary(known) else { return Language(tag: asked ?? known) }
        throw RouteError(
            .invalidValue,
            "The model recognises \(known), not \(asked.prefix(20)). To set up another, see Documentation/Models.md."
        )
    }

    private static func primary(_ tag: String) -> String {
        tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }

    /// `info`, with the caller's authorization under a key that other programs ignore.
    func information(client: ClientIdentifier, _ status: AuthorizationStatus) -> WyomingEvent {
        let modelValue: WyomingValue = .object([
            "name": .string(model.name), "description": .string(model.description), "installed": .bool(true),
            "version": .null, "languages": .array(model.languages.map { .string($0) }),
            "attribution": Self.attribution(model.description, model.source),
        ])
        let program: WyomingValue = .object([
            "name": .string("voicegate"), "installed": .bool(true), "version": .string(ServiceVersion.current),
            "description": .string("Speech to text on this machine, with the user's permission"),
            "attribution": Self.attribution("VoiceGate", "file:///usr/share/doc/voicegate"),
            "models": .array([modelValue]), "supports_transcript_streaming": .bool(true),
        ])
        return WyomingEvent(
            type: "info",
            data: [
                "asr": .array([program]),
                "voicegate": .object([
                    "client": .string(client.rawValue),
                    "authorization": .object(["speechRecognition": .string(status.rawValue)]),
                ]),
            ])
    }

    private static func attribution(_ name: String, _ url: String) -> WyomingValue {
        .object(["name": .string(name), "url": .string(url)])
    }
}
