/// What earlier sessions learnt with the user's agreement, to improve recognition from the first word.
public struct SpeakerAdaptation: Sendable, Hashable {
    /// Of the capture device; `nil`: the model's own.
    public let mean: CepstralMean?
    /// As `SpeakerTransform` describes it.
    public let transform: [UInt8]?

    public static let none = SpeakerAdaptation()

    /// - Parameter transform: ignored if it is too large: recognition is worse then, not refused.
    public init(mean: CepstralMean? = nil, transform: [UInt8]? = nil) {
        self.mean = mean
        self.transform = transform.flatMap { $0.isEmpty || $0.count > SpeakerTransform.longest ? nil : $0 }
    }

    public var isEmpty: Bool { mean == nil && transform == nil }
}

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

/// A linear transform of an acoustic model's means (MLLR) in the text form that sphinxtrain's `mllr_solve` writes and
/// PocketSphinx's `ps_mllr_read` reads:
///
///     1            classes
///     3            feature streams
///     13           values of the first stream, then its matrix row by row, its bias, and the scales of its variances;
///     …            then the next stream
///
/// The library aborts if a dimension is not the model's, and checks no number. Therefore it is checked here first.
public enum SpeakerTransform {
    /// Bytes.
    public static let longest = 1 << 20
    /// Most values of a stream, and most streams.
    static let mostValues = 128
    static let mostStreams = 8
    /// The means of speech are a few tens.
    static let largest = 10_000.0

    /// Whether it fits a model.
    ///
    /// - Parameter streams: the number of values of each feature stream.
    public static func fits(_ bytes: [UInt8], streams: [Int]) -> Bool {
        guard bytes.count <= longest, !streams.isEmpty, streams.count <= mostStreams,
            streams.allSatisfy({ (1...mostValues).contains($0) })
        else { return false }
        var fields = bytes.split(whereSeparator: isBlank)[...]
        guard whole(&fields) == 1, whole(&fields) == streams.count else { return false }
        for values in streams {
            guard whole(&fields) == values else { return false }
            for _ in 0..<values * values + values {
                guard let number = number(&fields), abs(number) <= largest else { return false }
            }
            for _ in 0..<values {
                guard let scale = number(&fields), scale > 0.001, scale < 1_000 else { return false }
            }
        }
        return fields.isEmpty
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func whole(_ fields: inout ArraySlice<ArraySlice<UInt8>>) -> Int? {
        fields.popFirst().flatMap { Int(String(decoding: $0.prefix(8), as: UTF8.self)) }
    }

    private static func number(_ fields: inout ArraySlice<ArraySlice<UInt8>>) -> Double? {
        guard let field = fields.popFirst(), field.count <= 32 else { return nil }
        // As the tool writes it: no hexadecimal numbers, infinities or words.
        guard field.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: field, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
