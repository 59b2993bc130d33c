/// What a capture stream tells, in order.
public enum CaptureEvent: Sendable, Hashable {
    case frames(Frames)
    /// The device ran over its buffer, or the reader did not keep up: this many frames are gone.
    case overrun(lostFrames: Int64)
    /// The device is gone; only when the stream was opened to wait for it. Frames follow after `deviceReturned`.
    case deviceLost(CaptureError)
    case deviceReturned
    /// Last event of a stream that did not end by `stop()`.
    case failed(CaptureError)
}
