import Authorization

/// What a connected answerer is told.
public enum PromptOffer: Sendable {
    /// Show it and answer with its cookie.
    case offered(Prompt)
    /// Take it away: it was answered elsewhere, or nobody waits any more.
    case withdrawn(cookie: String)
}
