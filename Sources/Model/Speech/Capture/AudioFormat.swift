/// Interleaved signed 16-bit little-endian samples at a rate.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// Frames in a second.
    public let sampleRate: Int
    public let channels: Int

    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// What the recogniser takes: 16 kHz, one channel.
    public static let recognition = AudioFormat(sampleRate: 16_000, channels: 1)
}
