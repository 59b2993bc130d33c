import Foundation

/// Finds speech in audio of 16 kHz.
public protocol SpeechDetector {
    /// - Parameter frame: the next 10 ms.
    mutating func judge(_ frame: ArraySlice<Int16>) -> VoiceActivityDetector.Finding
}

/// Detects speech in each 10 ms of audio: it exceeds the noise in several bands, and is not much softer than the loudest speech
/// of the last seconds. Works at any input level. Compared with other detectors in Benchmarks/README.md.
public struct VoiceActivityDetector: SpeechDetector, Sendable {
    public struct Finding: Sendable, Hashable {
        public let isSpeech: Bool
        /// Whether it also has the periodicity of a voice.
        public let isVoiced: Bool
        /// The number of frames that speech may continue below the noise, in which the soft ends of words drown.
        public let drowned: Int

        public init(isSpeech: Bool, isVoiced: Bool, drowned: Int = 0) {
            self.isSpeech = isSpeech
            self.isVoiced = isVoiced
            self.drowned = drowned
        }
    }

    /// Samples of a frame: 10 ms at 16 kHz.
    public static let frameLength = 160

    /// In Hz. Hum is below the first.
    private static let edges: [(low: Double, high: Double)] = [
        (200, 450), (450, 800), (800, 1_300), (1_300, 2_000), (2_000, 3_000), (3_000, 4_600),
    ]
    /// Voices are periodic in the first of them.
    private static let voicedBands = 2
    /// The difference in dB between the noise of most frames and the lowest level of two seconds.
    private static let margin = 4.0
    /// The lowest noise, in dB over one quantisation step.
    private static let quietest = 8.0
    /// The most that a band counts, in dB over the noise.
    private static let most = 40.0
    /// Speech exceeds the noise by this, in dB summed over the bands …
    private static let least = 10.0
    /// … in at least this many bands: a tone is in one only …
    private static let fewestBands = 2
    /// … and by this share of the loudest speech, which decays within seconds.
    private static let share = 0.3
    private static let forgetting = 0.998
    /// Speech this loud never drowns; very soft speech does for a quarter of a second.
    private static let clear = 140.0
    private static let mostDrowned = 25.0

    private var filters = edges.map { BandPass(low: $0.low, high: $0.high) }
    private var floor = NoiseFloor(bands: edges.count)
    private var voicing = Voicing()
    private var smoothed: [Double] = []
    private var loudest = 0.0

    public init() {}

    /// - Parameter frame: the next `frameLength` samples at 16 kHz.
    public mutating func judge(_ frame: ArraySlice<Int16>) -> Finding {
        let levels = levels(of: frame)
        if smoothed.isEmpty { smoothed = levels }
        for band in levels.indices { smoothed[band] += 0.5 * (levels[band] - smoothed[band]) }
        let isNewNoise = floor.take(levels)
        var sum = 0.0
        var bands = 0
        for band in levels.indices {
            let above = smoothed[band] - max(floor.levels[band] + Self.margin, Self.quietest)
            guard above > 0 else { continue }
            sum += min(above, Self.most)
            bands += 1
        }
        if isNewNoise { loudest = 0 }
        let needed = max(Self.least, Self.share * loudest)
        loudest = max(loudest * Self.forgetting, bands >= Self.fewestBands ? sum : 0)
        let isSpeech = bands >= Self.fewestBands && sum > needed
        return Finding(
            isSpeech: isSpeech, isVoiced: isSpeech && voicing.isVoiced,
            drowned: Int(Self.mostDrowned * max(0, 1 - loudest / Self.clear)))
    }

    private mutating func levels(of frame: ArraySlice<Int16>) -> [Double] {
        let values = frame.map(Double.init)
        var low = Array(repeating: 0.0, count: values.count)
        var band = values
        return band.withUnsafeMutableBufferPointer { band in
            var levels: [Double] = []
            for index in filters.indices {
                _ = band.update(from: values)
                levels.append(10 * log10(filters[index].filter(band) + 1))
                guard index < Self.voicedBands else { continue }
                for place in low.indices { low[place] += band[place] }
                if index == Self.voicedBands - 1 { low.withUnsafeMutableBufferPointer { voicing.take($0) } }
            }
            return levels
        }
    }
}

/// Detects the periodicity of a voice, 70 to 400 Hz, in the last 40 ms: key strokes, clicks and fans have none.
struct Voicing: Sendable {
    /// To 4,000 samples a second, enough for the low bands.
    private static let decimation = 4
    private static let length = 160
    private static let window = 100
    private static let lags = 10...57
    /// The least correlation of two periods, 0…1.
    private static let likeness = 0.6

    private var kept: [Double] = []
    private var sum = 0.0
    private var summed = 0

    /// - Parameter samples: of the low bands.
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

    /// Costs about as much as the rest of the detector: call it only when needed.
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
                // Quantisation noise must not count as a voice.
                if product > Self.likeness * (own * other).squareRoot() + Double(Self.window) { return true }
            }
            return false
        }
    }
}

/// Detects the beginning of sound. Keeps no audio but the rest of a frame.
public struct SoundOnset: Sendable {
    private var detector = VoiceActivityDetector()
    private var endpointer = Endpointer()
    private var rest: [Int16] = []

    public init() {}

    /// - Parameter samples: the next ones, at 16 kHz.
    /// - Returns: whether a sound began in them.
    public mutating func take(_ samples: [Int16]) -> Bool {
        rest.append(contentsOf: samples)
        var began = false
        var start = 0
        while rest.count - start >= VoiceActivityDetector.frameLength {
            let end = start + VoiceActivityDetector.frameLength
            for event in endpointer.advance(detector.judge(rest[start..<end])) {
                if case .began = event { began = true }
            }
            start = end
        }
        rest.removeFirst(start)
        return began
    }
}

/// The level of the noise in each of several bands: the lowest level of the last two seconds, because speech has pauses in
/// every band. A fan has none: if no band has changed for half a second, its level is the noise.
struct NoiseFloor: Sendable {
    /// In frames of 10 ms.
    private static let blockLength = 25
    private static let blocks = 8
    private static let steadyBlocks = 2
    /// The largest change of a steady noise, in dB.
    private static let steady = 6.0
    /// The weight of a new frame: smooths over a tenth of a second.
    private static let weight = 0.12
    /// Frames in which the filters settle.
    private static let settling = 3

    private struct Block: Sendable {
        var least: [Double]
        var most: [Double]

        init(bands: Int) {
            least = Array(repeating: .infinity, count: bands)
            most = Array(repeating: -.infinity, count: bands)
        }
    }

    private let bands: Int
    private var tracked: [Double] = []
    private var past: [Block] = []
    private var current: Block
    private var framesInBlock = 0
    private var frames = 0

    /// In dB, for each band.
    private(set) var levels: [Double]

    init(bands: Int) {
        self.bands = bands
        self.current = Block(bands: bands)
        self.levels = Array(repeating: .infinity, count: bands)
    }

    /// - Parameter new: the levels of the next frame.
    /// - Returns: whether there is a new steady noise.
    mutating func take(_ new: [Double]) -> Bool {
        if tracked.isEmpty { tracked = new }
        frames += 1
        for band in 0..<bands {
            tracked[band] += Self.weight * (new[band] - tracked[band])
            guard frames > Self.settling else { continue }
            current.least[band] = min(current.least[band], tracked[band])
            current.most[band] = max(current.most[band], tracked[band])
            levels[band] = min(levels[band], current.least[band])
        }
        framesInBlock += 1
        guard framesInBlock == Self.blockLength else { return false }
        return closeBlock()
    }

    private mutating func closeBlock() -> Bool {
        framesInBlock = 0
        past.append(current)
        if past.count > Self.blocks { past.removeFirst() }
        current = Block(bands: bands)
        let recent = past.suffix(Self.steadyBlocks)
        let isSteady =
            past.count > Self.steadyBlocks
            && (0..<bands).allSatisfy { band in
                let most = recent.reduce(-Double.infinity) { max($0, $1.most[band]) }
                let least = recent.reduce(Double.infinity) { min($0, $1.least[band]) }
                return most - least <= Self.steady
            }
        if isSteady { past = Array(recent) }
        for band in 0..<bands { levels[band] = past.reduce(Double.infinity) { min($0, $1.least[band]) } }
        return isSteady
    }
}
