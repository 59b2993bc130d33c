/// Why a device cannot be opened or read.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// No such device, or no sound card at all.
        case deviceNotFound
        /// It was there and is gone.
        case deviceLost
        /// Another program holds it.
        case deviceBusy
        /// The system does not let this user open it.
        case accessDenied
        /// The name cannot be used (a type of PCM that is known to end the process).
        case deviceNameRefused
        /// It cannot deliver 16 kHz mono, not even converted.
        case formatNotSupported
        /// It answers with errors, or no data comes.
        case inputOutput
        /// The permission ended.
        case permissionEnded
    }

    public let code: Code
    public let device: String
    /// ALSA's error number, positive; 0 when there is none.
    public let errorNumber: Int32
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, device: String, errorNumber: Int32 = 0, message: String) {
        self.code = code
        self.device = device
        self.errorNumber = errorNumber
        self.message = message
    }

    public var description: String { message }
}
