/// Why a sound file cannot be read.
public struct SoundFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// No format that libsndfile knows, or broken beyond use.
        case notAudio
        /// It has a header and nothing behind it.
        case noFrames
        /// A rate or a number of channels that is not taken.
        case formatNotSupported
        /// The rest of it cannot be read or converted.
        case broken
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
