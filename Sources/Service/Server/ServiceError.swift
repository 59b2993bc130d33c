import Base

/// Why the service cannot start or continue.
package typealias ServiceError = CodedError<ServiceErrorCode>

package enum ServiceErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The path of the socket cannot be used.
    case socketPath
    /// Another service answers on this socket.
    case alreadyRunning
    /// The configuration cannot be read or does not make sense.
    case configuration
    /// A part of the installation is missing.
    case installation
    /// The indicator's file cannot be written.
    case indicatorFile
    /// A device does not close; only the end of the process closes it.
    case deviceHeld
}
