/// Looks at the first bytes of a file: removes tags before the sound, finds how the rest can be read, and replaces a length of 0, which
/// programs write before they know it, by that of a stream.
public struct SoundBeginning {
    /// `nil` until enough bytes were received.
    public private(set) var form: SoundFileForm?

    /// Chunks before the sound of a WAV file that are looked through.
    private static let longest = 65_536
    private var held: [UInt8] = []
    /// Bytes of a tag that were not received yet.
    private var unwanted = 0

    public init() {}

    /// - Returns: the bytes to pass on.
    public mutating func take(_ piece: [UInt8]) -> [UInt8] {
        guard form == nil else { return piece }
        let dropped = min(unwanted, piece.count)
        unwanted -= dropped
        held += piece.dropFirst(dropped)
        while unwanted == 0, let length = Self.tagLength(held) {
            unwanted = max(0, length - held.count)
            held.removeFirst(min(length, held.count))
        }
        guard unwanted == 0, held.count >= SoundFormat.signatureLength else { return [] }
        if SoundFormat(beginning: held) == .wav, held.count < Self.longest, WAVHeader(held).data == nil { return [] }
        return rest()
    }

    /// The file has ended, or enough of it was received.
    public mutating func rest() -> [UInt8] {
        defer { held = [] }
        guard form == nil else { return held }
        form = SoundFileForm(beginning: held)
        switch form?.format {
        case .wav:
            let header = WAVHeader(held)
            if header.isCoded { form = SoundFileForm(.codedWAV, withFFmpeg: FFmpeg.state == .loaded) }
            if let data = header.data, data.length == 0 { setUnknown(data.place) }
        case .au where held.count >= 12 && held[8..<12].allSatisfy { $0 == 0 }: setUnknown(8)
        default: break
        }
        return held
    }

    private mutating func setUnknown(_ place: Int) {
        for index in place..<place + 4 { held[index] = 0xFF }
    }

    /// The length of the ID3v2 tag at the file's beginning, including its header; `nil`: none (ID3v2.4, section 3.1).
    ///
    /// Such tags can have large pictures; libsndfile reads only small tags from a pipe.
    static func tagLength(_ beginning: some Collection<UInt8>) -> Int? {
        let bytes = Array(beginning.prefix(tagHeaderLength))
        guard bytes.count == tagHeaderLength, bytes.starts(with: "ID3".utf8),
            bytes[6...].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let body = bytes[6...].reduce(0) { $0 << 7 | Int($1) }
        let hasFooter = bytes[5] & 0x10 != 0
        return tagHeaderLength + body + (hasFooter ? tagHeaderLength : 0)
    }

    static let tagHeaderLength = 10
}

/// The chunks of a RIFF file up to its sound: each has four letters, a length of four bytes, and the content, padded to an even length.
struct WAVHeader {
    /// Whether its codec is one that libsndfile cannot read from a pipe, or not at all.
    private(set) var isCoded = false
    /// Where the length of the sound is, and what it says; `nil` if it is further on.
    private(set) var data: (place: Int, length: Int)?

    /// PCM, Microsoft's ADPCM, floating point, A-law, µ-law, IMA's ADPCM, and extensible (mmreg.h).
    private static let streamed: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0xFFFE]

    init(_ bytes: [UInt8]) {
        let isBig = bytes.starts(with: "RIFX".utf8)
        func number(_ place: Int, _ count: Int) -> Int {
            let digits = bytes[place..<place + count]
            return (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        var place = 12
        while place + 8 <= bytes.count {
            let length = number(place + 4, 4)
            let name = bytes[place..<place + 4]
            if name.elementsEqual("data".utf8) {
                data = (place + 4, length)
                return
            }
            if name.elementsEqual("fmt ".utf8), place + 10 <= bytes.count {
                isCoded = !Self.streamed.contains(number(place + 8, 2))
            }
            place += 8 + length + length % 2
        }
    }
}
