/// What was learnt of a voice, and what it is good for.
public struct Adaptation: Sendable, Hashable {
    /// The matrix as `SpeakerTransform` describes it, learnt from all recordings.
    public let transform: [UInt8]
    /// Measured with matrices that each did not see the sentences it was tried on.
    public let gain: AdaptationGain
    /// Seconds of sound that it was learnt from.
    public let seconds: Double
    /// Places of the recordings that were of no use: a word is unknown, or something else was said.
    public let unused: [Int]

    public init(transform: [UInt8], gain: AdaptationGain, seconds: Double, unused: [Int]) {
        self.transform = transform
        self.gain = gain
        self.seconds = seconds
        self.unused = unused
    }
}
