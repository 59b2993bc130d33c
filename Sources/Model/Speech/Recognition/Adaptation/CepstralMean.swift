/// The mean of the cepstra of speech: what a microphone and a room do to all that is said in them. A handful of numbers,
/// from which nothing that was said can be had back.
public struct CepstralMean: Sendable, Hashable, Codable {
    public static let mostCoefficients = 64
    /// An hour; more says nothing more.
    public static let mostFrames = 360_000

    /// One for each coefficient.
    public let values: [Float]
    /// Frames of 10 ms that it was learnt from.
    public let frames: Int

    /// `nil` when it cannot be one: 1…64 finite values of sensible size, from at least one frame.
    public init?(values: [Float], frames: Int) {
        guard (1...Self.mostCoefficients).contains(values.count), (1...Self.mostFrames).contains(frames),
            values.allSatisfy({ $0.isFinite && abs($0) < 1_000 })
        else { return nil }
        self.values = values
        self.frames = frames
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let values = try container.decode([Float].self, forKey: .values)
        let frames = try container.decode(Int.self, forKey: .frames)
        guard let mean = CepstralMean(values: values, frames: frames) else {
            throw DecodingError.dataCorruptedError(
                forKey: .values, in: container, debugDescription: "This is no mean of cepstra.")
        }
        self = mean
    }
}
