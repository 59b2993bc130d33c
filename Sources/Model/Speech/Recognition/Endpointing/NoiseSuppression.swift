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
