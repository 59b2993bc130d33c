import RecognizerProtocol
import Speech

/// What an external engine says of itself in `info`:
///
///     {"asr": [{"name": "faster-whisper", "version": "2.4.0", "supports_transcript_streaming": false, "installed": true,
///               "models": [{"name": "base-int8", "version": null, "installed": true, "languages": ["en", "de"]}]}]}
///
/// Source: `wyoming/info.py` of the protocol's library. Without a choice the first program serves.
struct EngineDeclaration: Sendable, Hashable {
    /// Undeclared features are assumed to be possible.
    let capabilities: EngineCapabilities
    /// Whether it sends the text of an utterance while it hears it.
    let streamsText: Bool

    /// Models of a program that are read.
    private static let mostModels = 100

    /// - Returns: `nil` for an event without a program that recognises speech.
    init?(_ info: WyomingEvent) {
        guard let program = info.data["asr"]?.array?.first?.object else { return nil }
        let models = (program["models"]?.array ?? []).prefix(Self.mostModels).compactMap(\.object).filter {
            $0["installed"]?.bool != false
        }
        // Which of several models it would use is unknown.
        let model = models.count == 1 ? models[0] : nil
        let names = [Self.name(program["name"]), model.flatMap { Self.name($0["name"]) }].compactMap { $0 }
        let name = names.joined(separator: " ")
        let version = model.flatMap { Self.name($0["version"]) } ?? Self.name(program["version"])
        var languages: [String] = []
        for tag in models.flatMap({ $0["languages"]?.array ?? [] }).compactMap(\.string)
        where SpokenLanguage(tag: tag) != nil && !languages.contains(tag) {
            languages.append(tag)
            if languages.count == EngineCapabilities.mostLanguages { break }
        }
        capabilities = EngineCapabilities(
            name: EngineCapabilities.isName(name) ? name : names.first, version: version,
            languages: languages.isEmpty ? nil : languages, tasks: [.dictation])
        streamsText = program["supports_transcript_streaming"]?.bool ?? false
    }

    /// The engine's own tag of a language, because not every engine knows `en` if it has `en-US`: the one that was asked for or the
    /// longest that it begins with (RFC 4647, section 3.4); otherwise the first of the same language.
    func tag(of language: SpokenLanguage) -> String {
        let same = (capabilities.languages ?? []).filter { SpokenLanguage(tag: $0)?.code == language.code }
        var asked = language.tag.lowercased().split(separator: "-")
        while !asked.isEmpty {
            let tag = asked.joined(separator: "-")
            if let own = same.first(where: { SpokenLanguage(tag: $0)?.tag.lowercased() == tag }) { return own }
            asked.removeLast()
        }
        return same.first ?? language.code
    }

    private static func name(_ value: WyomingValue?) -> String? {
        value?.string.flatMap { EngineCapabilities.isName($0) ? $0 : nil }
    }
}
