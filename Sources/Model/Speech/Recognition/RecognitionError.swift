/// Why nothing is recognised.
public struct RecognitionError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// The model is missing or was refused.
        case modelUnavailable
        /// The worker process died.
        case workerDied
        /// The worker did not answer in time and was ended.
        case workerHung
        /// All recognisers are in use.
        case busy
        /// No worker could be started.
        case workerUnavailable
        /// The sound file is none, is broken, or has no frames.
        case badAudio
        /// A phrase that cannot be listened for; the message names it or its word.
        case phraseRefused
        /// A grammar that cannot be listened for; the message names what is wrong with it.
        case grammarRefused
        /// More of the user's words than are taken.
        case wordsRefused
        /// What the other side sent is not the protocol.
        case protocolViolation
        /// The permission ended.
        case permissionEnded
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
