/// An open device.
public protocol CaptureStream: Sendable {
    /// For one reader. Ends after `stop()` or `failed`.
    var events: AsyncStream<CaptureEvent> { get }

    /// Closes the device. Returns when it is closed; further calls return at once.
    func stop() async
}
