import Glibc

/// Why a file could not be read.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        case missing
        case notAllowed
        /// A folder, pipe, socket or device.
        case notRegular
        case tooLarge
        case failed
    }

    public let code: Code
    public let path: String
    /// What is wrong, as the end of a sentence about the file.
    public let reason: String

    public init(code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): \(reason)." }

    static func system(_ path: String, _ number: Int32) -> FileError {
        switch number {
        case ENOENT, ENOTDIR: FileError(code: .missing, path: path, reason: "there is no such file")
        case EACCES, EPERM: FileError(code: .notAllowed, path: path, reason: "reading it is not permitted")
        default: FileError(code: .failed, path: path, reason: "reading it failed: " + String(cString: strerror(number)))
        }
    }
}
