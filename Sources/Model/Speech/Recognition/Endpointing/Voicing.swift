/// Tells whether the last 40 ms hold the repetition of a voice, 70 to 400 times a second: key strokes, clicks and fans
/// have none.
struct Voicing: Sendable {
    /// Of four, one is kept: 4,000 a second, enough for the low bands.
    private static let decimation = 4
    private static let length = 160
    private static let window = 100
    private static let lags = 10...57
    /// How alike two periods must be, 0…1.
    private static let likeness = 0.6

    private var kept: [Double] = []
    private var sum = 0.0
    private var summed = 0

    /// Takes the next samples of the low bands.
    mutating func take(_ samples: UnsafeMutableBufferPointer<Double>) {
        var index = 0
        while index < samples.count {
            sum += samples[index]
            summed += 1
            if summed == Self.decimation {
                kept.append(sum)
                (sum, summed) = (0, 0)
            }
            index += 1
        }
        if kept.count > Self.length { kept.removeFirst(kept.count - Self.length) }
    }

    /// Costs about as much as all else that is done with a frame: asked only when it matters.
    var isVoiced: Bool {
        guard kept.count == Self.length else { return false }
        return kept.withUnsafeBufferPointer { values in
            let start = Self.length - Self.window
            var own = 0.0
            var index = start
            while index < Self.length {
                own += values[index] * values[index]
                index += 1
            }
            for lag in Self.lags {
                var product = 0.0
                var other = 0.0
                index = start
                while index < Self.length {
                    let earlier = values[index - lag]
                    product += values[index] * earlier
                    other += earlier * earlier
                    index += 1
                }
                // One step of quantisation a sample must not count as a voice.
                if product > Self.likeness * (own * other).squareRoot() + Double(Self.window) { return true }
            }
            return false
        }
    }
}
