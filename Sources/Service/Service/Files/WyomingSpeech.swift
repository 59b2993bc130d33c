import Authorization
import RecognizerProtocol
import SocketAPI
import SpeechModels

/// The service's recogniser as Wyoming describes it.
struct WyomingSpeech: Sendable {
    private let name: String
    private let description: String
    private let source: String
    /// BCP 47; `nil`: unknown.
    private let language: String?

    /// - Parameter language: from the configuration; `nil`: from the catalogue.
    init(modelFolder folder: String, language: String?, catalogue: ModelCatalogue) {
        let known = catalogue.models.first { $0.folder == folder }
        name = known?.id ?? folder.split(separator: "/").last.map(String.init) ?? folder
        description = known?.name ?? "A model of this machine"
        source = known?.source.split(separator: " ").first.map(String.init) ?? "file://\(folder)"
        self.language = language ?? known?.language
    }

    /// - Returns: the data of an answer with its language; empty if that is unknown.
    func language(for asked: String?) throws(RouteError) -> [String: WyomingValue] {
        if let language, let asked, ServedModel.code(of: asked) != ServedModel.code(of: language) {
            throw RouteError(
                .invalidValue,
                "The model recognises \(language), not \(asked.prefix(20)). To set up another, see "
                    + "Documentation/Models.md.")
        }
        return (asked ?? language).map { ["language": .string($0)] } ?? [:]
    }

    /// `info`, with the caller's authorization under a key that other programs ignore.
    func information(client: ClientIdentifier, _ status: AuthorizationStatus) -> WyomingEvent {
        let modelValue: WyomingValue = .object([
            "name": .string(name), "description": .string(description), "installed": .bool(true),
            "version": .null, "languages": .array(language.map { [.string($0)] } ?? []),
            "attribution": Self.attribution(description, source),
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
