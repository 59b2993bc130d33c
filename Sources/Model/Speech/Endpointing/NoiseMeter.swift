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

/// Decides for each utterance of a session whether its noise is suppressed before it is decoded.
///
/// Every suppressor costs words where there is next to no noise (Benchmarks/README.md), so it takes much noise to switch it
/// on and less to leave it on. What an utterance was like is known when it is over: it decides about the next one. The first
/// one is decoded as it is: what lies before it says little of the voice, and where that was believed, clean speech lost
/// words (54 errors instead of 46 in 200 words of LJ Speech).
public struct NoiseSuppression: Sendable {
    /// In dB of speech over noise.
    private static let on = 24.0
    private static let off = 28.0

    /// For the next utterance.
    public private(set) var isNeeded = false

    public init() {}

    public static func isNeeded(decibels: Double) -> Bool { decibels < on }

    /// - Parameter decibels: of an utterance that is over.
    public mutating func learn(_ decibels: Double) {
        isNeeded = decibels < (isNeeded ? Self.off : Self.on)
    }
}

/// Lets a range of frequencies through, falling off by 12 dB an octave on both sides: two second-order sections in a row
/// (Robert Bristow-Johnson, Cookbook formulae for audio EQ, band-pass with constant peak gain).
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
        // A loop without iterators: this runs over every sample of every session, in debug builds, too.
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
