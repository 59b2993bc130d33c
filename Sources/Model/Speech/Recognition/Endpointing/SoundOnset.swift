/// Tells when something begins to be heard. Keeps no audio but the rest of a frame.
public struct SoundOnset: Sendable {
    private var detector = VoiceActivityDetector()
    private var endpointer = Endpointer()
    private var rest: [Int16] = []

    public init() {}

    /// - Parameter samples: at 16 kHz, in order.
    /// - Returns: whether a sound began within them.
    public mutating func take(_ samples: [Int16]) -> Bool {
        rest.append(contentsOf: samples)
        var began = false
        var start = 0
        while rest.count - start >= VoiceActivityDetector.frameLength {
            let end = start + VoiceActivityDetector.frameLength
            for event in endpointer.advance(detector.judge(rest[start..<end])) {
                if case .began = event { began = true }
            }
            start = end
        }
        rest.removeFirst(start)
        return began
    }
}
