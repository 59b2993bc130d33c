import Base

/// Why something is not kept, or cannot be read.
public typealias RetentionError = CodedError<RetentionErrorCode>

public enum RetentionErrorCode: String, Sendable, Hashable {
    /// There is no such item; it may have been erased.
    case unknown
    /// The file is missing, truncated or changed; nothing of it is returned.
    case damaged
    /// It was erased while it was being written.
    case erased
    /// A file could not be written or read.
    case inputOutput
    /// No room is left.
    case full
    /// The folder or a file is not what it must be: a link, another user's.
    case unusable
}

extension RetentionError {
    static let erased = RetentionError(
        code: .erased, message: "It was erased while it was being written, because its permission was withdrawn.")

    static func unknown(_ identifier: String) -> RetentionError {
        RetentionError(
            code: .unknown,
            message: "Nothing is kept as \(identifier). It may have been erased; voicegate history lists what is kept.")
    }

    static func damaged(_ identifier: String) -> RetentionError {
        RetentionError(
            code: .damaged,
            message: "The file of \(identifier) was changed, cut off or removed, so nothing of it is shown. Erase it: "
                + "voicegate history erase \(identifier)")
    }
}
