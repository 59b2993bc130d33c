/// What a person can answer to a prompt; `Question.answers` says which of them to which question. Anything else refuses
/// the request and stores nothing.
public enum Answer: String, Sendable, Codable, Hashable, CaseIterable {
    case whileInUse
    case once
    case always
    case deny
    /// "Ask me later": refuses this request and stores nothing.
    case later

    /// Whether the client may listen with it.
    public var isYes: Bool {
        switch self {
        case .whileInUse, .once, .always: true
        case .deny, .later: false
        }
    }
}
