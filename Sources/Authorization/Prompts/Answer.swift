/// What a person can answer to a prompt. Anything else refuses the request and stores nothing.
public enum Answer: String, Sendable, Codable, Hashable, CaseIterable {
    case whileInUse
    case once
    case deny
    /// "Ask me later": refuses this request and stores nothing.
    case later
}
