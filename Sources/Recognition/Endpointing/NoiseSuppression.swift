/// Decides for each utterance of a session whether its noise is suppressed before it is decoded.
///
/// Every suppressor costs words where there is next to no noise (Benchmarks/README.md), so it takes much noise to switch it
/// on and less to leave it on. What an utterance was like is known when it is over: it decides about the next one. About
/// the first one its beginning decides, and only where the room is loud, too, because that says little of the voice.
public struct NoiseSuppression: Sendable {
    /// In dB of speech over noise.
    private static let on = 24.0
    private static let off = 28.0
    /// 56 dB below full scale.
    private static let loudRoom = 50.0

    private var isOn: Bool?

    public init() {}

    public static func isNeeded(decibels: Double) -> Bool { decibels < on }

    /// - Parameter beginning: the first samples of an utterance, with what was cut with it before.
    public func isNeeded(from beginning: [Int16]) -> Bool {
        if let isOn { return isOn }
        let reading = NoiseMeter.read(beginning)
        return reading.noise > Self.loudRoom && Self.isNeeded(decibels: reading.decibels)
    }

    /// - Parameter decibels: of an utterance that is over.
    public mutating func learn(_ decibels: Double) {
        isOn = decibels < (isOn == true ? Self.off : Self.on)
    }
}
