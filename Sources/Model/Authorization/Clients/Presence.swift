/// Whether the person has a client before them, by the kernel's and the session manager's facts and never by the client's
/// word.
public enum Presence: String, Sendable, Codable, Hashable, CaseIterable {
    /// The foreground job of its terminal, or a program of the active desktop.
    case foreground
    /// Anything else.
    case background
}
