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
