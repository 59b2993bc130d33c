/// A run of captured frames: 16 kHz, one channel, so that a frame is a sample.
public struct Frames: Sendable, Hashable {
    public let samples: [Int16]
    /// The index of the first frame since the source was opened, lost frames counted.
    public let position: Int64

    public init(samples: [Int16], position: Int64) {
        self.samples = samples
        self.position = position
    }
}
