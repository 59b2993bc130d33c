/// How a sound file can be read, told from its beginning. Measured with libsndfile 1.2.0: the streamed ones give the same
/// samples as the same file that can be sought in.
public enum SoundFileForm: Sendable, Hashable {
    /// From a pipe, as it comes: WAV, AU, Ogg with Vorbis or Opus, MP3.
    case piped
    /// As it comes, by a reader that goes back to the beginning once: FLAC, RF64.
    case windowed
    /// The whole file must be there: the rest, such as AIFF and CAF, or Ogg with FLAC.
    case whole

    /// Bytes that tell it, where the file has so many.
    public static let tellingLength = 36

    /// - Parameter beginning: the file's first bytes, behind tags.
    public init(beginning bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.tellingLength))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if (has("RIFF") || has("RIFX")) && has("WAVE", at: 8) || has(".snd") {
            self = .piped
        } else if has("OggS") {
            self = has("\u{7F}FLAC", at: 28) ? .whole : .piped
        } else if has("fLaC") || has("RF64") && has("WAVE", at: 8) {
            self = .windowed
        } else if bytes.count > 1, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 0x06 != 0 {
            // The frame sync of MPEG audio with a layer (ISO 11172-3, 2.4.1.3).
            self = .piped
        } else {
            self = .whole
        }
    }

    /// The length of the ID3v2 tag that the file begins with, itself included; `nil`: there is none (ID3v2.4, section 3.1).
    ///
    /// Players put covers of any size in front of a file; libsndfile reads only small ones from a pipe.
    public static func tagLength(_ beginning: some Collection<UInt8>) -> Int? {
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
