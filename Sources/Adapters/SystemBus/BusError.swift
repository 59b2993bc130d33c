import Base
import CSystemBus
import Glibc

/// Why a call over the bus has no result.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The bus cannot be reached, or the connection to it ended.
        case disconnected
        /// No program has the name, and none can be started for it.
        case noService
        case timedOut
        case accessDenied
        /// The service answered with an error; see `name`.
        case failed
        /// The answer is larger or deeper than `BusLimits`, or has a type that is not read.
        case unreadable
        /// The call cannot be written, such as a text with a NUL.
        case invalid
        /// The task was cancelled.
        case cancelled
    }

    public let code: Code
    /// The error's name on the bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`; `nil`: it did not come from there.
    public let name: String?
    /// Safe to show; of the service, or of the system.
    public let message: String

    public var description: String { message }

    /// - Parameter message: safe to show.
    public init(_ code: Code, _ message: String, name: String? = nil) {
        (self.code, self.message, self.name) = (code, message, name)
    }

    /// - Parameter number: negative, as sd-bus returns it.
    init(_ code: Code, _ number: Int32) { self.init(code, String(cString: strerror(-number))) }

    /// Of an answer that is an error.
    init(name: String, message: String) {
        let known = "org.freedesktop.DBus.Error."
        let code: Code =
            switch name {
            case known + "ServiceUnknown", known + "NameHasNoOwner": .noService
            case _ where name.hasPrefix(known + "Spawn."): .noService
            case known + "NoReply", known + "Timeout", known + "TimedOut": .timedOut
            case known + "AccessDenied", known + "AuthFailed": .accessDenied
            case known + "Disconnected", known + "NoServer": .disconnected
            default: .failed
            }
        self.init(
            code, DisplayText.cleaned(message.isEmpty ? name : message, limit: 300),
            name: String(name.prefix(BusLimits.name)))
    }
}

/// The most that is read of one message. The bus itself bounds a message (`max_message_size` in dbus-daemon(1)).
enum BusLimits {
    /// Bytes of all texts.
    static let bytes = 262_144
    static let values = 8_192
    static let depth = 16
    /// Bytes of a name ("Valid names" in the specification).
    static let name = 255
    /// Signals that may wait for a slow reader; the newest stay.
    static let signals = 256
}
