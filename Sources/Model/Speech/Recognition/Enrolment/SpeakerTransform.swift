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
