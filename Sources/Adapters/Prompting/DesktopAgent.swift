import Authorization

/// Asks on the desktop of the service's own session (`voicegated --agent desktop`).
public struct DesktopAgent: Agent {
    private let desktop: DesktopPrompt

    public init(desktop: DesktopPrompt = DesktopPrompt()) { self.desktop = desktop }

    public func canAsk(_ prompt: Prompt) async -> Bool {
        do {
            try await desktop.check()
            return true
        } catch {
            return false
        }
    }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let reply = try await desktop.ask(
            DisplayedNotice(prompt.notice, answers: prompt.answers), offersFidelity: prompt.offersFidelity)
        return AgentReply(answer: reply.answer, fidelity: reply.fidelity, indication: .desktop)
    }
}
