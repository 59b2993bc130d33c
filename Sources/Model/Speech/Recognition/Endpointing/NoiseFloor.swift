/// The level of a room's noise in each of several bands: the quietest moment of the last two seconds.
///
/// Speech has such moments in every band. A fan has none: when no band has moved for half a second, what is heard is the
/// noise, however loud it was before.
struct NoiseFloor: Sendable {
    /// In frames of 10 ms.
    private static let blockLength = 25
    private static let blocks = 8
    private static let steadyBlocks = 2
    /// A steady noise moves by no more than this, in dB.
    private static let steady = 6.0
    /// The weight of a new frame: a tenth of a second decides what is quiet.
    private static let weight = 0.12
    /// Frames that are too few to be judged, because the filters begin with them.
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

    /// Takes the levels of the next frame.
    ///
    /// - Returns: whether what was heard turned out to be a new steady noise.
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
