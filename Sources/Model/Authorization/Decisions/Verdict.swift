/// What the person decided for good. `once` is no verdict: it ends with its session and is never stored.
public enum Verdict: String, Sendable, Codable, Hashable, CaseIterable {
    case authorized
    case denied
}
