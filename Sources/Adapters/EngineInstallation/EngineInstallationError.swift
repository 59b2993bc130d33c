import Base
import Glibc

/// Why an engine's files cannot be had.
public typealias EngineInstallationError = CodedError<EngineInstallationErrorCode>

public enum EngineInstallationErrorCode: String, Sendable, Hashable, CaseIterable {
    /// Python's pip is not installed.
    case toolMissing
    /// The packages cannot be downloaded, or the given folder does not have them.
    case notFetched
    /// A package or a file in it is not the expected one.
    case damaged
    /// Another installation is running.
    case busy
    /// Files cannot be written.
    case inputOutput
}

extension EngineInstallationError {
    static func cannotWrite(_ path: String, _ number: Int32) -> EngineInstallationError {
        EngineInstallationError(
            code: .inputOutput,
            message: "\(path) cannot be written: \(String(cString: strerror(number))). Free some space there.")
    }
}
