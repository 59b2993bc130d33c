import Foundation

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
