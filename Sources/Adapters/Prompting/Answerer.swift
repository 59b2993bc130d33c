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

/// What a connected answerer is told.
public enum PromptOffer: Sendable {
    /// Show it and answer with its cookie.
    case offered(Prompt)
    /// Take it away: it was answered elsewhere, or nobody waits any more.
    case withdrawn(cookie: String)
}

/// What a person chose at a prompt.
public struct PromptReply: Sendable, Hashable {
    public let answer: Answer
    /// Of a yes, where the prompt offers a choice.
    public let fidelity: Fidelity

    public init(_ answer: Answer, fidelity: Fidelity = .full) {
        self.answer = answer
        self.fidelity = fidelity
    }
}

/// Why the person was not asked or did not answer.
public struct PromptingError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The person left without choosing, or nobody can answer any more.
        case noAnswer
        /// Interrupted by SIGINT or Ctrl-C.
        case interrupted
        /// Nobody who may answer is connected.
        case noAgent
        /// Not a terminal, or one that another job has.
        case notTerminal
        /// The script of answers cannot be used.
        case badScript
        /// No prompt waits with that cookie; it may have been answered or withdrawn.
        case unknownPrompt
        /// Whoever answered is not the one to ask.
        case notPermitted
        /// The prompt does not offer this answer; it goes on waiting.
        case notOffered
        /// Nobody can have read the prompt yet; it goes on waiting.
        case tooEarly
        /// The desktop shows no notifications with buttons.
        case noDesktop
    }

    public let code: Code
    /// A sentence that says what happened and what to do.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
