import Foundation

/// Measures the signal-to-noise ratio of an utterance.
public enum NoiseMeter {
    /// With less, more than half of the words are wrong; see Benchmarks/README.md.
    public static let needed = 13.0

    /// About the engine's range in Hz; hum and rumble are below.
    private static let range = (low: 130.0, high: 6_800.0)
    /// The share of pauses in an utterance, including those within words.
    private static let quietShare = 0.15
    /// The power of a frame with speech, as a multiple of the noise.
    private static let speech = 2.0
    private static let fewestFrames = 5
    /// The least power of noise, about that of a quantisation step.
    private static let quietest = 0.1
    /// The quietest frames are below the average noise and the loud ones above the average speech; measured on mixtures of
    /// known ratio.
    private static let bias = 4.0
    /// The result without noise.
    private static let most = 60.0
    private static let least = -10.0

    /// - Parameter samples: an utterance with its margins, at 16 kHz. Its quietest frames count as noise, so that it must
    ///   include some silence, at least within words.
    /// - Returns: −10…60.
    public static func decibels(of samples: [Int16]) -> Double {
        // Digital zeros before the first sound are not the room's noise.
        let powers = powers(of: samples).drop { $0 < quietest }
        let quiet = powers.sorted().prefix(max(1, Int(Double(powers.count) * quietShare)))
        guard !quiet.isEmpty else { return most }
        let noise = max(quiet.reduce(0, +) / Double(quiet.count), quietest)
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
        // The filter settles in the first frames.
        return Array(powers.dropFirst(2))
    }
}

/// Decides whether the noise of an utterance is suppressed before it is decoded: by the noise of the utterance before, with
/// hysteresis, because suppression causes errors in clean speech (Benchmarks/README.md).
///
/// The first utterance is never suppressed: to decide by the audio before it caused errors in clean speech (54 instead of 46
/// in 200 words of LJ Speech).
public struct NoiseSuppression: Sendable {
    /// Signal-to-noise ratios in dB.
    private static let on = 24.0
    private static let off = 28.0

    /// For the next utterance.
    public private(set) var isNeeded = false

    public init() {}

    public static func isNeeded(decibels: Double) -> Bool { decibels < on }

    /// - Parameter decibels: of the last utterance.
    public mutating func learn(_ decibels: Double) {
        isNeeded = decibels < (isNeeded ? Self.off : Self.on)
    }
}

/// A band-pass filter of 12 dB an octave: two second-order sections in series (Robert Bristow-Johnson, Cookbook formulae for
/// audio EQ, band-pass with constant peak gain).
struct BandPass: Sendable {
    private struct Section: Sendable {
        var first = 0.0
        var second = 0.0
    }

    private let gain: Double
    private let feedback1: Double
    private let feedback2: Double
    private var sections = (Section(), Section())

    /// - Parameters: edges in Hz, of audio at 16 kHz.
    init(low: Double, high: Double) {
        let center = (low * high).squareRoot()
        let angle = 2 * Double.pi * center / 16_000
        let alpha = sin(angle) * (high - low) / (2 * center)
        self.gain = alpha / (1 + alpha)
        self.feedback1 = -2 * cos(angle) / (1 + alpha)
        self.feedback2 = (1 - alpha) / (1 + alpha)
    }

    /// Filters the samples in place.
    ///
    /// - Returns: their mean square afterwards.
    mutating func filter(_ samples: UnsafeMutableBufferPointer<Double>) -> Double {
        var (a, b) = sections
        var energy = 0.0
        // Without iterators, which are slow in debug builds: this runs for every sample.
        var index = 0
        while index < samples.count {
            let input = samples[index]
            let between = gain * input + a.first
            a.first = a.second - feedback1 * between
            a.second = -gain * input - feedback2 * between
            let output = gain * between + b.first
            b.first = b.second - feedback1 * output
            b.second = -gain * between - feedback2 * output
            samples[index] = output
            energy += output * output
            index += 1
        }
        sections = (a, b)
        return energy / Double(max(samples.count, 1))
    }
}
