/// What a client can say to its running session.
public enum SessionControl: String, Sendable, Codable, Hashable, CaseIterable {
    /// No more listening; what was heard is decoded to its end.
    case end
    /// No more listening; what was heard is thrown away.
    case cancel
    /// Audio is dropped from now on.
    case suspend
    case resume
}
