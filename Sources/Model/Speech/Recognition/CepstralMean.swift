/// The mean of the cepstra of speech: the effect of the microphone and the room. No speech can be reconstructed from it.
public struct CepstralMean: Sendable, Hashable, Codable {
    public static let mostCoefficients = 64
    /// An hour; more does not improve it.
    public static let mostFrames = 360_000

    public let values: [Float]
    /// Frames of 10 ms that it was computed from.
    public let frames: Int

    /// `nil` unless there are 1…64 finite values of plausible size, from at least one frame.
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
                forKey: .values, in: container, debugDescription: "The values are not a cepstral mean.")
        }
        self = mean
    }
}
