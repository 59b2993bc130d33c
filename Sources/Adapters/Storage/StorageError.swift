import Consent
import Foundation
import GRDB

/// Why the database could not be opened, read or written. Callers react to `code`; the message is for people.
public struct StorageError: StorageFailure, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The file or its directory is not what it must be: a link, another user's, no directory.
        case cannotOpen
        /// The directory or the file may not be written.
        case notWritable
        /// Another service has this log open.
        case locked
        /// The file is not a database, or is damaged.
        case corrupt
        /// No room is left; nothing was written.
        case full
        /// The disk failed, or a limit of the system was hit.
        case inputOutput
        /// A later version of VoiceGate wrote this file.
        case schemaTooNew
        /// A log was signed that no longer exists.
        case logLost
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String
    /// `errno` or SQLite's extended result code; the message names which.
    public let underlyingCode: Int32?

    public init(code: Code, message: String, underlyingCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.underlyingCode = underlyingCode
    }

    public var description: String { message }

    public var leavesOutcomeUnknown: Bool {
        switch code {
        case .full, .notWritable, .locked, .schemaTooNew, .cannotOpen, .logLost: false
        case .corrupt, .inputOutput: true
        }
    }
}

extension StorageError {
    static let wrongType = StorageError(
        code: .corrupt,
        message: "The consent log contains a value of the wrong type. Put it aside or restore it from a backup.")

    /// Translates what SQLite said.
    init(_ error: DatabaseError, path: String) {
        let (code, advice): (Code, String) =
            switch error.resultCode {
            case .SQLITE_FULL: (.full, "No room is left for the consent log; free some and try again")
            case .SQLITE_READONLY, .SQLITE_PERM: (.notWritable, "The consent log may not be written; check its owner")
            case .SQLITE_CANTOPEN: (.cannotOpen, "The consent log could not be opened; check its directory")
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.locked, "Another program has the consent log open; end it")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT:
                (.corrupt, "The consent log is damaged; put it aside or restore it from a backup")
            default: (.inputOutput, "The consent log could not be read or written; check the disk and start again")
            }
        self.init(
            code: code,
            message: "\(advice): \(path) (SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no text")).",
            underlyingCode: error.extendedResultCode.rawValue)
    }

    /// Translates `errno` after a call that was to do something with a path.
    init(errno number: Int32, doing action: String, path: String) {
        let code: Code =
            switch number {
            case EACCES, EPERM, EROFS: .notWritable
            case ENOSPC, EDQUOT: .full
            case EIO: .inputOutput
            default: .cannotOpen
            }
        let reason = String(cString: strerror(number))
        self.init(
            code: code,
            message: "Could not \(action) \(path): \(reason). Choose another state directory or correct this one.",
            underlyingCode: number)
    }

    /// Runs database code and lets nothing but `StorageError` and cancellation out of it.
    package static func translating<Result>(
        path: String, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError {
            // GRDB interrupts what a cancelled task does.
            if error.resultCode == .SQLITE_INTERRUPT { try Task.checkCancellation() }
            throw StorageError(error, path: path)
        }
    }
}
