/// How a session ended.
public struct SessionOutcome: Sendable, Hashable {
    /// The `reason` of the session's `ended` event.
    public let reason: String
    /// Frames read from the device or the file, at 16 kHz.
    public let frames: Int64

    public init(reason: String, frames: Int64) {
        self.reason = reason
        self.frames = frames
    }
}
