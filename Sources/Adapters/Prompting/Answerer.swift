import Authorization
import Base

/// A connected program that shows prompts to the user.
public struct Answerer: Sendable {
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Shows the prompts of its own requests in its terminal, and those of the program that runs it there.
        case caller
        /// Shows the prompts of its user's other programs in its terminal.
        case terminalAgent
        /// Shows the prompts of its user's other programs on the desktop.
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
    /// The program that runs it, if one does.
    public let runner: ProcessIdentity?
    /// Whether it still is the program that connected, where the user can see it. Called at each offer and answer.
    public let isPresent: @Sendable () -> Bool

    public init(
        process: ProcessIdentity, user: UInt32, role: Role, runner: ProcessIdentity? = nil,
        isPresent: @escaping @Sendable () -> Bool = { true }
    ) {
        self.process = process
        self.user = user
        self.role = role
        self.runner = runner
        self.isPresent = isPresent
    }

    /// Whether it may show a prompt and answer it.
    ///
    /// - Parameters:
    ///   - areRelated: whether one of two processes descends from the other.
    ///   - runsUnder: whether a process descends from one that runs the program with this path.
    public func mayAnswer(
        _ prompt: Prompt, areRelated: (ProcessIdentity, ProcessIdentity) -> Bool,
        runsUnder: (ProcessIdentity, String) -> Bool
    ) -> Bool {
        let caller = prompt.requester.caller
        switch role {
        case .caller:
            // A question that the gate asks by itself belongs to no request.
            return (caller.process == process || caller.process == runner) && caller.user == user
                && !prompt.question.waitsForQuietMoment && isPresent()
        case .terminalAgent, .desktopAgent:
            // At a quiet moment no process of the client asks, so its program counts.
            if prompt.question.waitsForQuietMoment {
                return caller.user == user && isPresent() && !runsUnder(process, caller.executable.path)
            }
            return caller.user == user && caller.process != process && isPresent()
                && !areRelated(process, caller.process)
                && caller.responsible.map { !areRelated(process, $0) } ?? true
        }
    }
}

/// An event for a connected answerer.
public enum PromptOffer: Sendable {
    /// Show it and answer with its cookie.
    case offered(Prompt)
    /// Remove it: it was answered elsewhere, or the request has ended.
    case withdrawn(cookie: String)
}

/// Why a prompt has no answer.
public typealias PromptingError = CodedError<PromptingErrorCode>

public enum PromptingErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The prompt was closed without an answer, or no program that could answer is left.
    case noAnswer
    /// Interrupted by SIGINT or Ctrl-C.
    case interrupted
    /// No program that may answer is connected.
    case noAgent
    /// Not a terminal, or another job uses it.
    case notTerminal
    /// The script of answers cannot be used.
    case badScript
    /// No prompt has this cookie; it may have been answered or withdrawn.
    case unknownPrompt
    /// The process may not answer this prompt.
    case notPermitted
    /// The prompt does not offer this answer and stays open.
    case notOffered
    /// The answer came too soon to have been read; the prompt stays open.
    case tooEarly
    /// The desktop does not show notifications with buttons.
    case noDesktop
}
