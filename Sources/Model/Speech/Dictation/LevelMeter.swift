import Foundation

/// Measures loudness over tenths of a second of 16 kHz mono.
struct LevelMeter {
    /// Frames in a tenth of a second.
    static let window = 1_600
    /// Below the smallest step of 16 bits (−90.3 dBFS).
    static let silence = -96.0

    private var sum = 0.0
    private var count = 0

    /// - Returns: the root mean square in dBFS of each tenth of a second that these samples complete.
    mutating func levels(of samples: [Int16]) -> [Double] {
        var levels: [Double] = []
        for sample in samples {
            let value = Double(sample) / 32_768
            sum += value * value
            count += 1
            if count == Self.window {
                levels.append(sum == 0 ? Self.silence : max(Self.silence, 10 * log10(sum / Double(count))))
                sum = 0
                count = 0
            }
        }
        return levels
    }
}
