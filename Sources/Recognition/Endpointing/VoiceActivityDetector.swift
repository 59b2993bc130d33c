import Foundation

/// Tells for each 10 ms of audio whether it is loud enough, above the room's noise, to be speech.
///
/// The room's noise is the quietest moment of the last three seconds. Speech has gaps in such a time; a fan has none and
/// is taken for noise three seconds after it was switched on.
public struct VoiceActivityDetector: Sendable {
    /// Samples of a frame: 10 ms at 16 kHz.
    public static let frameLength = 160

    /// How far above the noise speech must be, in dB.
    private static let margin = 9.0
    /// Nothing quieter than this is speech, in dB of the emphasised signal over one quantisation step.
    private static let quietest = 30.0
    /// A first guess of the noise, believed for a second: a session often begins in the middle of a word.
    private static let firstGuess = 30.0
    private static let blockLength = 25
    private static let blocks = 12

    private var previous = 0.0
    private var smoothed: Double?
    /// The minimum of each of the last quarter seconds.
    private var minima: [Double] = Array(repeating: firstGuess, count: 4)
    private var current = Double.infinity
    private var framesInBlock = 0

    public init() {}

    /// - Parameter frame: `frameLength` samples at 16 kHz; a shorter last one may follow.
    public mutating func isSpeech(_ frame: ArraySlice<Int16>) -> Bool {
        guard !frame.isEmpty else { return false }
        var energy = 0.0
        for sample in frame {
            // Emphasis of the highs: rumble and hum are loud and mean nothing.
            let value = Double(sample) - 0.97 * previous
            previous = Double(sample)
            energy += value * value
        }
        let level = 10 * log10(energy / Double(frame.count) + 1)
        let smooth = smoothed.map { 0.6 * $0 + 0.4 * level } ?? level
        smoothed = smooth
        note(smooth)
        let floor = min(minima.min() ?? Self.firstGuess, current)
        return level > max(floor + Self.margin, Self.quietest)
    }

    private mutating func note(_ level: Double) {
        current = min(current, level)
        framesInBlock += 1
        guard framesInBlock == Self.blockLength else { return }
        minima.append(current)
        // The guesses of the first second leave one by one, as real blocks do.
        if minima.count > Self.blocks || (minima.first == Self.firstGuess && minima.count > 4) { minima.removeFirst() }
        current = .infinity
        framesInBlock = 0
    }
}
