/// What a recogniser listens for.
public enum RecognitionTask: Sendable, Hashable {
    /// Whatever is said.
    case dictation
    /// Utterances that are one of these phrases. The only events are, for each that was said, `speechStarted` and a
    /// `final` whose text is the phrase as it is written here, without words, confidence or partial results. Whatever
    /// else is said leaves no trace.
    case phrases([String])
    /// These phrases wherever they are said, also within a sentence. Events as for `phrases`; `start` and `end` tell where.
    case keyPhrases([KeyPhrase])

    /// Utterances that the grammar allows (JSGF, one public rule). Events as for `dictation` without partial results;
    /// what else is said leaves no trace.
    case grammar(String)

    /// UTF-8 bytes of a grammar.
    public static let longestGrammar = 65_536

    /// The text of the grammar, or `nil`.
    public var grammar: String? { if case .grammar(let text) = self { text } else { nil } }

    /// The phrases that may come out, or `nil` when anything may.
    public var phrases: [String]? {
        switch self {
        case .dictation, .grammar: nil
        case .phrases(let phrases): phrases
        case .keyPhrases(let phrases): phrases.map(\.text)
        }
    }
}
