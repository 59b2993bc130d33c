/// What was learnt earlier, with the person's consent, and makes a session begin better than from nothing.
public struct SpeakerAdaptation: Sendable, Hashable {
    /// Bytes of a transform.
    public static let largestTransform = 1 << 20

    /// Of the capture device; `nil`: the model's own.
    public let mean: CepstralMean?
    /// An MLLR matrix for the acoustic model's means, as sphinxtrain's `mllr_solve` writes it; `nil`: none.
    public let transform: [UInt8]?

    public static let none = SpeakerAdaptation()

    /// - Parameter transform: one that is too large is left away: the session is worse then, not refused.
    public init(mean: CepstralMean? = nil, transform: [UInt8]? = nil) {
        self.mean = mean
        self.transform = transform.flatMap { $0.isEmpty || $0.count > Self.largestTransform ? nil : $0 }
    }

    public var isEmpty: Bool { mean == nil && transform == nil }
}

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

/// A linear transform of an acoustic model's means (MLLR) in the text form that sphinxtrain's `mllr_solve` writes and
/// PocketSphinx's `ps_mllr_read` reads:
///
///     1            classes
///     3            feature streams
///     13           values of the first stream, then its matrix row by row, its bias, and the scales of its variances;
///     …            then the next stream
///
/// The library ends the process where a dimension is not the model's, and believes every number. So it is read here first.
public enum SpeakerTransform {
    public static let longest = 1 << 20
    /// Values of a stream, and streams, at most.
    static let mostValues = 128
    static let mostStreams = 8
    /// Means are a few tens; nothing that comes from speech is near this.
    static let largest = 10_000.0

    /// Whether it can be given to a model whose feature streams have so many values.
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
        // No hexadecimal numbers, infinities or words: plainly what the tool writes.
        guard field.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: field, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
