import Glibc

/// Why an export was not made. Nothing of it is left behind.
public struct ExportError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Something is there already, and is not written over.
        case exists
        /// A file or folder cannot be written; the disk may be full.
        case cannotWrite
        /// Nobody reads standard output any more.
        case outputClosed
        /// What the service sent does not fit its own checkpoint.
        case doesNotVerify
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    static func cannotWrite(_ path: String, _ number: Int32) -> ExportError {
        ExportError(.cannotWrite, "\(path) cannot be written: \(String(cString: strerror(number))).")
    }

    static func exists(_ path: String) -> ExportError {
        ExportError(.exists, "\(path) is there already and is not written over. Give another path, or move it away.")
    }

    static func unproven(_ index: UInt64) -> ExportError {
        ExportError(
            .doesNotVerify,
            "Record \(index) is not in the log that the checkpoint is of. Run `voicegate audit verify` to check the whole log."
        )
    }
}
