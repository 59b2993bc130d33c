/// Mixes the channels of a sound to one that is as loud as the loudest of them.
///
/// The sum of all channels, unless they cancel each other (opposite phase, two microphones at a distance): then the loudest
/// channel alone. A channel with a steady sound, such as a tone, hum or hiss, is left out while a different channel varies as speech does.
/// Streams: memory is a second of levels for each channel.
public struct ChannelMix: Sendable {
    /// Blocks in a second; levels are measured, and weights changed, from block to block.
    private static let blocksPerSecond = 40
    /// The weight of a new block in a channel's level.
    private static let attack: Float = 0.3
    /// A sum below this part of the loudest channel's energy has lost sound.
    private static let leastKept: Float = 0.5
    /// How much louder than the loudest channel the sum must be before it is used again.
    private static let restored: Float = 1
    /// The greatest ratio of energies within a second of a steady sound, and the least of speech.
    private static let steady: Float = 3
    private static let varied: Float = 20

    public let channels: Int
    private let blockLength: Int
    private var energies: [Float]
    private var sumEnergy: Float = 0
    private var past: [[Float]]
    private var weights: [Float]
    private var isCancelling = false
    private var isFirst = true

    /// - Parameter rate: frames a second.
    public init(channels: Int, rate: Int) {
        self.channels = channels
        blockLength = max(1, rate / Self.blocksPerSecond)
        energies = Array(repeating: 0, count: channels)
        past = Array(repeating: [], count: channels)
        weights = Array(repeating: 1 / Float(channels), count: channels)
    }

    /// - Parameter interleaved: the next frames; a sample that is not finite counts as silence.
    /// - Returns: a sample for each frame, −1…1.
    public mutating func mix(_ interleaved: UnsafeBufferPointer<Float>) -> [Float] {
        let frames = interleaved.count / channels
        return [Float](unsafeUninitializedCapacity: frames) { output, count in
            var start = 0
            while start < frames {
                let end = min(start + blockLength, frames)
                let block = UnsafeBufferPointer(rebasing: interleaved[start * channels..<end * channels])
                mix(block, into: UnsafeMutableBufferPointer(rebasing: output[start..<end]))
                start = end
            }
            count = frames
        }
    }

    private mutating func mix(_ block: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) {
        guard channels > 1 else {
            for frame in output.indices { output.initializeElement(at: frame, to: Self.clipped(block[frame])) }
            return
        }
        let before = weights
        measure(block)
        // From one weight to the next without a click; at the beginning there is none before.
        let step = isFirst ? 0 : 1 / Float(output.count)
        isFirst = false
        var frame = 0
        while frame < output.count {
            let share = step == 0 ? 1 : Float(frame + 1) * step
            var sum: Float = 0
            var channel = 0
            while channel < channels {
                let weight = before[channel] + share * (weights[channel] - before[channel])
                sum += weight * Self.finite(block[frame * channels + channel])
                channel += 1
            }
            output.initializeElement(at: frame, to: Self.clipped(sum))
            frame += 1
        }
    }

    /// Sets the weights for the block.
    private mutating func measure(_ block: UnsafeBufferPointer<Float>) {
        let frames = block.count / channels
        let attack = isFirst ? 1 : min(1, Self.attack * Float(frames) / Float(blockLength))
        var now = Array(repeating: Float(0), count: channels)
        for channel in 0..<channels {
            var energy: Float = 0
            var place = channel
            while place < block.count {
                let value = Self.finite(block[place])
                energy += value * value
                place += channels
            }
            now[channel] = energy / Float(frames)
            energies[channel] += attack * (now[channel] - energies[channel])
            // Short rests at the end of a piece would look like variation.
            guard frames == blockLength else { continue }
            past[channel].append(now[channel])
            if past[channel].count > Self.blocksPerSecond { past[channel].removeFirst() }
        }
        let used = used
        var sum: Float = 0
        var place = 0
        while place < block.count {
            var value: Float = 0
            for channel in 0..<channels where used[channel] { value += Self.finite(block[place + channel]) }
            sum += value * value
            place += channels
        }
        sumEnergy += attack * (sum / Float(frames) - sumEnergy)
        choose(used)
    }

    private mutating func choose(_ used: [Bool]) {
        var loudest = used.firstIndex(of: true) ?? 0
        for channel in 0..<channels where used[channel] && energies[channel] > energies[loudest] { loudest = channel }
        let most = energies[loudest]
        isCancelling = sumEnergy < most * (isCancelling ? Self.restored : Self.leastKept)
        // Silence says nothing about the channels.
        guard most > 0 else { return }
        let gain = min(1, (most / max(sumEnergy, .leastNormalMagnitude)).squareRoot())
        for channel in 0..<channels {
            weights[channel] = isCancelling ? (channel == loudest ? 1 : 0) : (used[channel] ? gain : 0)
        }
    }

    /// All, unless one of them varies while others are steady.
    private var used: [Bool] {
        let all = Array(repeating: true, count: channels)
        guard past[0].count == Self.blocksPerSecond else { return all }
        let ratios = past.map { ($0.max() ?? 0) / max($0.min() ?? 0, 1e-12) }
        guard ratios.contains(where: { $0 >= Self.varied }) else { return all }
        return ratios.map { $0 > Self.steady }
    }

    private static func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }

    private static func clipped(_ value: Float) -> Float { min(max(finite(value), -1), 1) }
}
