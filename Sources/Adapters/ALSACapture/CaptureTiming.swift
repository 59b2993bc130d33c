/// How patient a capture is. Times in milliseconds.
struct CaptureTiming: Sendable {
    /// How long opening a device may take. A Bluetooth headset needs seconds to change its profile.
    var opening = 10_000
    /// A running device that delivers nothing for this long is opened again. A sound server may take a second to wake
    /// a microphone that slept.
    var watchdog: Int32 = 3_000
    /// The first and the longest pause before a device is opened again; each is twice the one before.
    var firstBackOff: Int32 = 100
    var longestBackOff: Int32 = 2_000
    /// How often a device that answers with errors is opened again before it counts as dead.
    var restarts = 3
    /// Errors in a row without a frame between them after which recovering has no sense any more: a killed PipeWire
    /// answers EPIPE and “recovers” for ever.
    var errorsInARow = 3
    /// After this many frames without trouble, earlier trouble is forgotten.
    var framesUntilTrusted: Int64 = 160_000
    /// Frames that may wait for a reader that does not keep up: 30 s.
    var framesInQueue = 480_000
}
