import Foundation
import SocketAPI
import SpeechModels

/// The model that recognisers load, as OpenAI's calls know it. There is no choice between models in a call.
struct ServedModel: Sendable {
    /// Names of models at OpenAI, so that tools which cannot be told another one work, and two that say what they mean.
    static let aliases = [
        "whisper-1", "gpt-transcribe", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "voicegate", "default",
    ]

    let description: OpenAIModel

    /// - Parameters:
    ///   - folder: that recognisers load.
    ///   - isOurEngine: whether VoiceGate's own recogniser does; of another one's model nothing is known.
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

    func isCalled(_ name: String) -> Bool { name == description.id || Self.aliases.contains(name) }

    /// Whether a call's `language` is the model's: its code, with or without a region, or its English name. Where it is
    /// not known what the model speaks, any is taken.
    func speaks(_ language: String) -> Bool {
        guard let own else { return true }
        let given = Self.code(of: language)
        return given == own || language.lowercased() == name
    }

    /// What `language` may be, for people.
    var languages: String { own ?? "any" }

    /// The language's English name in small letters, as Whisper writes it.
    var name: String {
        guard let own else { return "unknown" }
        return Locale(identifier: "en").localizedString(forLanguageCode: own)?.lowercased() ?? own
    }

    private var own: String? { description.language.map(Self.code) }

    private static func code(of language: String) -> String {
        String(language.lowercased().prefix { $0 != "-" && $0 != "_" })
    }
}
