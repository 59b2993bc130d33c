import Authorization

/// A connected program that shows prompts to the person.
public struct Answerer: Sendable {
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Shows the prompts of its own requests at its own terminal.
        case caller
        /// Shows the prompts of other programs of its user at its terminal.
        case terminalAgent
        /// Shows them on the desktop.
        case desktopAgent

        var indication: Indication {
            switch self {
            case .caller: .terminal
            case .terminalAgent: .agent
            case .desktopAgent: .desktop
            }
        }
    }

    public let process: ProcessIdentity
    public let user: UInt32
    public let role: Role
    /// Whether it still is the program that connected, at a place where a person can be. Asked at each offer and answer.
    public let isPresent: @Sendable () -> Bool

    public init(
        process: ProcessIdentity, user: UInt32, role: Role, isPresent: @escaping @Sendable () -> Bool = { true }
    ) {
        self.process = process
        self.user = user
        self.role = role
        self.isPresent = isPresent
    }

    /// Whether it is the one to show a prompt.
    ///
    /// - Parameter areRelated: whether one of two processes descends from the other.
    public func mayAnswer(
        _ prompt: Prompt, areRelated: (ProcessIdentity, ProcessIdentity) -> Bool
    ) -> Bool {
        let caller = prompt.requester.caller
        switch role {
        case .caller:
            // What the gate asks by itself is nobody's own request.
            return caller.process == process && !prompt.question.waitsForQuietMoment && isPresent()
        case .terminalAgent, .desktopAgent:
            return caller.user == user && caller.process != process && isPresent()
                && !areRelated(process, caller.process)
                && caller.responsible.map { !areRelated(process, $0) } ?? true
        }
    }
}
