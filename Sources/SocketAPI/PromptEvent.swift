/// Each line of `GET /v1/prompts`.
public enum PromptEvent: Sendable, Hashable, Codable {
    /// The first line: prompts that this caller may answer come from now on.
    case listening
    case shown(PromptOffer)
    /// The prompt is answered or nobody waits for it any more; take it off the screen.
    case withdrawn(cookie: String)
}
