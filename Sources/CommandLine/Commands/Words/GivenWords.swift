import Speech

/// What the person gave of the words that are about to be said; as the service takes it.
struct GivenWords: Sendable, Hashable {
    let contextPhrases: [String]?
    let text: String?
    /// JSGF.
    let grammar: String?
    let taskHint: TaskHint?
    let alternatives: Int?
}
