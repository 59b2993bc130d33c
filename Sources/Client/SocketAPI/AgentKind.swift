/// `GET /v1/prompts?agent=…`: where an agent shows the prompts of other programs.
public enum AgentKind: String, Sendable, Codable, Hashable, CaseIterable {
    /// At its terminal, whose foreground job it must be.
    case terminal
    /// As notifications of the desktop.
    case desktop
}
