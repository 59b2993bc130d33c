import Foundation

/// How far the speech of an utterance stands above the noise around and within it.
public enum NoiseMeter {
    /// With less, more than half of the words are wrong; Benchmarks/README.md.
    public static let needed = 13.0

    /// The engine listens to about these, in Hz; hum and rumble lie below.
    private static let range = (low: 130.0, high: 6_800.0)
    /// The share of an utterance that is pauses, within words too.
    private static let quietShare = 0.15
    /// A frame that is this much stronger than the noise has speech in it.
    private static let speech = 2.0
    private static let fewestFrames = 5
    /// The quietest frames lie below the noise as it is on the whole, the loud ones above the speech: by this much
    /// together, on mixtures of known ratio.
    private static let bias = 4.0
    /// What is returned where there is no noise to speak of.
    private static let most = 60.0
    private static let least = -10.0

    /// The ratio of speech to noise in decibels, −10…60. Noise is what the quietest frames hold, so some silence, at least
    /// the gaps within words, must be among the samples.
    ///
    /// - Parameter samples: of an utterance with what was cut with it before and behind, at 16 kHz.
    public static func decibels(of samples: [Int16]) -> Double {
        let powers = powers(of: samples)
        let quiet = powers.sorted().prefix(max(1, Int(Double(powers.count) * quietShare)))
        guard !quiet.isEmpty else { return most }
        let noise = max(quiet.reduce(0, +) / Double(quiet.count), 0.1)
        let loud = powers.filter { $0 > speech * noise }
        guard loud.count >= fewestFrames else { return least }
        let both = loud.reduce(0, +) / Double(loud.count)
        return min(max(10 * log10((both - noise) / noise) - bias, least), most)
    }

    private static func powers(of samples: [Int16]) -> [Double] {
        var filter = BandPass(low: range.low, high: range.high)
        var values = samples.map(Double.init)
        var powers: [Double] = []
        values.withUnsafeMutableBufferPointer { buffer in
            var start = 0
            while start + VoiceActivityDetector.frameLength <= buffer.count {
                let end = start + VoiceActivityDetector.frameLength
                powers.append(filter.filter(UnsafeMutableBufferPointer(rebasing: buffer[start..<end])))
                start = end
            }
        }
        // The filter begins with the first frames.
        return Array(powers.dropFirst(2))
    }
}
