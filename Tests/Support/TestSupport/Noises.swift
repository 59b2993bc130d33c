import Foundation

/// Sounds that are not speech, at 16 kHz, the same in each run.
public enum Noises {
    public static let rate = 16_000

    private static func count(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }

    private static func samples(_ values: [Double]) -> [Int16] { values.map { Int16(min(max($0, -32_768), 32_767)) } }

    /// A steady hiss; `level` is its root mean square.
    public static func white(seconds: Double, level: Double, seed: UInt64 = 1) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        // An even distribution has a third of the square of its bound.
        let bound = level * 3.0.squareRoot()
        return samples((0..<count(seconds)).map { _ in Double.random(in: -bound...bound, using: &generator) })
    }

    /// As a fan sounds: the lower, the louder.
    public static func fan(seconds: Double, level: Double, seed: UInt64 = 2) -> [Int16] {
        let hiss = white(seconds: seconds, level: 1_000, seed: seed).map(Double.init)
        var value = 0.0
        let filtered = hiss.map { sample in
            value += 0.08 * (sample - value)
            return value
        }
        let now = (filtered.reduce(0) { $0 + $1 * $1 } / Double(filtered.count)).squareRoot()
        return samples(filtered.map { $0 * level / now })
    }

    /// 50 Hz and what comes with it.
    public static func hum(seconds: Double, level: Double) -> [Int16] {
        samples(
            (0..<count(seconds)).map { index in
                let angle = 2 * Double.pi * 50 * Double(index) / Double(rate)
                return level * (sin(angle) + 0.4 * sin(2 * angle) + 0.25 * sin(3 * angle) + 0.1 * sin(5 * angle))
            })
    }

    /// A tone of 1,000 Hz.
    public static func whistle(seconds: Double, level: Double) -> [Int16] {
        samples((0..<count(seconds)).map { level * sin(2 * Double.pi * 1_000 * Double($0) / Double(rate)) })
    }

    /// Bursts that fade within some milliseconds, `gap` seconds from each to the next at least.
    public static func strokes(
        seconds: Double, level: Double, length: Double, gap: ClosedRange<Double>, seed: UInt64 = 3
    ) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        var values = Array(repeating: 0.0, count: count(seconds))
        var start = count(0.5)
        while start + count(length) < values.count {
            for index in 0..<count(length) {
                let fading = exp(-4 * Double(index) / Double(count(length)))
                values[start + index] = level * fading * Double.random(in: -1.7...1.7, using: &generator)
            }
            start += count(Double.random(in: gap, using: &generator))
        }
        return samples(values)
    }

    public static func mixed(_ first: [Int16], _ second: [Int16]) -> [Int16] {
        (0..<max(first.count, second.count)).map { index in
            let sum = (index < first.count ? Int(first[index]) : 0) + (index < second.count ? Int(second[index]) : 0)
            return Int16(clamping: sum)
        }
    }
}
