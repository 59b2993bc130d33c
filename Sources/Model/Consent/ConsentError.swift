/// Why a request to the log failed. Callers react to `code`; the message is for people.
public struct ConsentError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The stored log is not consistent. Nothing may be granted on it.
        case corrupt
        /// This record was not written; the log is as it was, and the next one may succeed.
        case notRecorded
        /// A write failed with an unknown outcome; the log must be opened again.
        case failed
        /// The record's fields are too large to be kept.
        case tooLarge
        /// A log was signed that no longer exists.
        case logLost
        /// The last checkpoint of a signed log is not there.
        case checkpointLost
        /// The key of a signed log is not there, or is another.
        case keyLost
        /// The log is shorter than it once signed to be.
        case rolledBack
        /// The log is not the one that was signed.
        case forked
        /// A note that is not a checkpoint of this log, or without a known signature.
        case badCheckpoint
        /// The log has no key.
        case notSigning
        /// An index or a size that the log has not reached.
        case noSuchRecord
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String
    /// What the storage said.
    public let underlying: (any Error)?
    /// The options of a start with which the log goes on all the same; empty: none.
    public let resolvedBy: LogStart.Options

    public init(
        code: Code, message: String, underlying: (any Error)? = nil, resolvedBy options: LogStart.Options = []
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        resolvedBy = options
    }

    public var description: String { message }
}
