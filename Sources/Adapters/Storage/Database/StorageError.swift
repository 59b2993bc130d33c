import Consent

/// Why the database could not be opened, read or written. `code` tells how to react; the message is for people.
public struct StorageError: StorageFailure, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The file or its directory is not what it must be: a link, another user's, no directory.
        case cannotOpen
        /// The directory or the file may not be written.
        case notWritable
        /// Another service has this log open.
        case locked
        /// The file is no database, or a damaged one.
        case corrupt
        /// No room is left; nothing was written.
        case full
        /// The disk failed, or a limit of the system was hit.
        case inputOutput
        /// A later version of VoiceGate wrote this file.
        case schemaTooNew
        /// Checkpoints were signed with a key that is not there any more.
        case keyLost
        /// A log was signed that is not there any more.
        case logLost
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String
    /// `errno` or SQLite's extended result code; the message says which.
    public let underlyingCode: Int32?

    public init(code: Code, message: String, underlyingCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.underlyingCode = underlyingCode
    }

    public var description: String { message }

    public var leavesOutcomeUnknown: Bool {
        switch code {
        case .full, .notWritable, .locked, .schemaTooNew, .cannotOpen, .keyLost, .logLost: false
        case .corrupt, .inputOutput: true
        }
    }
}
