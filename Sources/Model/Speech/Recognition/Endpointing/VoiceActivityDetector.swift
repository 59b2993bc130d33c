import Foundation

/// Tells for each 10 ms of audio whether it stands out of the room's noise as speech does: in several bands, and not much
/// less than the loudest speech of the last seconds.
///
/// Works at any level of the microphone. Measured against WebRTC's, SpeexDSP's and PocketSphinx's detectors:
/// Benchmarks/README.md.
public struct VoiceActivityDetector: Sendable {
    /// What is known of a frame.
    public struct Finding: Sendable, Hashable {
        public let isSpeech: Bool
        /// Whether it has the repetition of a voice, too. Never without being speech.
        public let isVoiced: Bool
        /// How many frames longer speech may go on without standing out: the soft ends of words drown in noise.
        public let drowned: Int

        public init(isSpeech: Bool, isVoiced: Bool, drowned: Int = 0) {
            self.isSpeech = isSpeech
            self.isVoiced = isVoiced
            self.drowned = drowned
        }
    }

    /// Samples of a frame: 10 ms at 16 kHz.
    public static let frameLength = 160

    /// In Hz. Hum lies below the first.
    private static let edges: [(low: Double, high: Double)] = [
        (200, 450), (450, 800), (800, 1_300), (1_300, 2_000), (2_000, 3_000), (3_000, 4_600),
    ]
    /// Voices repeat in the first of them.
    private static let voicedBands = 2
    /// How far in dB the least level of two seconds lies below noise as it is in most frames.
    private static let margin = 4.0
    /// No noise counts as quieter than this, in dB over one quantisation step.
    private static let quietest = 8.0
    /// What stands out more than this in a band, in dB, counts no more.
    private static let most = 40.0
    /// How much a frame must stand out, in dB summed over the bands …
    private static let least = 10.0
    /// … in how many of them: a tone stands out in one …
    private static let fewestBands = 2
    /// … and how much of what the loudest speech did, which is forgotten in some seconds.
    private static let share = 0.3
    private static let forgetting = 0.998
    /// Speech whose loudest stands out this much drowns nowhere; speech of which next to nothing does, for a quarter
    /// second.
    private static let clear = 140.0
    private static let mostDrowned = 25.0

    private var filters = edges.map { BandPass(low: $0.low, high: $0.high) }
    private var floor = NoiseFloor(bands: edges.count)
    private var voicing = Voicing()
    private var smoothed: [Double] = []
    private var loudest = 0.0

    public init() {}

    /// - Parameter frame: `frameLength` samples at 16 kHz, in order.
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
