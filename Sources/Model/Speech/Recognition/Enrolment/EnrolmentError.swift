/// Why no voice could be learnt.
public struct EnrolmentError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// sphinxtrain is not installed.
        case toolMissing
        /// A tool failed.
        case toolFailed
        /// The model is missing, was refused, or cannot be adapted.
        case modelUnavailable
        /// A recording is no sound file, or is too long.
        case badAudio
        /// Not enough that can be used.
        case tooLittle
        /// More than is taken.
        case tooMuch
        /// No place in memory for what must not reach a disk.
        case noMemory
        /// Another enrolment runs.
        case busy
        /// The process that learns died, or took too long.
        case failed
        /// What the other side sent is not the protocol.
        case protocolViolation
        /// Given up.
        case cancelled
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
