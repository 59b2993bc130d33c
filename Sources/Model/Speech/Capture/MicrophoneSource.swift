import Authorization

/// Opens capture devices, only for a grant.
public protocol MicrophoneSource: Sendable {
    /// Opens the device and starts capturing at 16 kHz mono.
    ///
    /// - Parameter grant: its lease is asked before each run of frames is handed on; when it ends the device is closed
    ///   and the stream ends with `failed` (`permissionEnded`).
    func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream

    /// The devices that could be opened, and those that could not, with the reason.
    func devices() async -> [CaptureDevice]
}
