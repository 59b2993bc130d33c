/// What a sound file is, by its first bytes.
public enum SoundFormat: String, Sendable, Hashable, CaseIterable {
    case wav = "WAV"
    /// With a codec that is not one of a simple stream, such as GSM 6.10.
    case codedWAV = "WAV with a codec"
    case rf64 = "RF64"
    case au = "AU"
    case aiff = "AIFF"
    case caf = "CAF"
    case flac = "FLAC"
    case ogg = "Ogg"
    case oggFLAC = "Ogg with FLAC"
    case mp3 = "MP3"
    /// Its frames have no stated length, so that a decoder looks ahead for the next one.
    case freeFormatMP3 = "free-format MP3"
    case aac = "AAC"
    case mp4 = "MP4"
    case matroska = "WebM or Matroska"
    case asf = "WMA"
    case amr = "AMR"
    case avi = "AVI"
    case other = "unknown"

    /// The number of bytes that determine the format.
    static let signatureLength = 36

    /// - Parameter beginning: the file's first bytes after tags.
    init(beginning bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.signatureLength))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        let found = Self.marks.first { mark in mark.texts.allSatisfy { has($0.text, at: $0.offset) } }
        self = found?.format ?? Self.byFrame(bytes)
    }

    private typealias Text = (text: String, offset: Int)

    private static let marks: [(format: SoundFormat, texts: [Text])] = [
        (.wav, [("RIFF", 0), ("WAVE", 8)]), (.wav, [("RIFX", 0), ("WAVE", 8)]), (.avi, [("RIFF", 0), ("AVI ", 8)]),
        (.rf64, [("RF64", 0), ("WAVE", 8)]), (.au, [(".snd", 0)]), (.aiff, [("FORM", 0)]), (.caf, [("caff", 0)]),
        (.flac, [("fLaC", 0)]), (.oggFLAC, [("OggS", 0), ("\u{7F}FLAC", 28)]), (.ogg, [("OggS", 0)]),
        (.mp4, [("ftyp", 4)]), (.mp4, [("moov", 4)]), (.mp4, [("mdat", 4)]), (.mp4, [("wide", 4)]),
        (.amr, [("#!AMR", 0)]),
    ]

    private static func byFrame(_ bytes: [UInt8]) -> SoundFormat {
        guard bytes.count > 2 else { return .other }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
        if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75]) { return .asf }
        // ADTS (ISO 13818-7, 6.2): the sync, and layer 0, which MPEG audio does not have (ISO 11172-3, 2.4.1.3).
        guard bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return .other }
        guard bytes[1] & 0x06 != 0 else { return bytes[1] & 0xF0 == 0xF0 ? .aac : .other }
        return bytes[2] & 0xF0 == 0 ? .freeFormatMP3 : .mp3
    }

    /// FFmpeg goes on after damage and through files that were joined, where libsndfile ends.
    var isCompressed: Bool {
        switch self {
        case .wav, .rf64, .au, .aiff, .caf, .other, .freeFormatMP3: false
        case .codedWAV, .flac, .ogg, .oggFLAC, .mp3, .aac, .mp4, .matroska, .asf, .amr, .avi: true
        }
    }

    /// Whether libsndfile reads it, if its codec is one that it knows.
    var isOfLibsndfile: Bool {
        switch self {
        case .aac, .mp4, .matroska, .asf, .amr, .avi, .oggFLAC: false
        case .wav, .codedWAV, .rf64, .au, .aiff, .caf, .flac, .ogg, .mp3, .freeFormatMP3, .other: true
        }
    }
}

/// How a sound file can be read, determined from its first bytes. Measured with libsndfile 1.2.0: streaming gives the same
/// samples as a seekable file.
public struct SoundFileForm: Sendable, Hashable {
    public enum Access: Sendable, Hashable {
        /// As a stream from a pipe.
        case piped
        /// As a stream whose beginning can be read twice.
        case windowed
        /// Only as a whole, because a reader seeks in it.
        case whole
    }

    public let format: SoundFormat
    public let access: Access
    let usesFFmpeg: Bool

    public init(format: SoundFormat, access: Access) {
        (self.format, self.access, usesFFmpeg) = (format, access, false)
    }

    /// - Parameters:
    ///   - format: of the file.
    ///   - withFFmpeg: whether FFmpeg's libraries are loaded.
    init(_ format: SoundFormat, withFFmpeg: Bool) {
        (self.format, usesFFmpeg) = (format, withFFmpeg)
        access =
            switch format {
            case .wav, .au: .piped
            case .rf64: .windowed
            case .flac, .ogg, .mp3: withFFmpeg || format == .flac ? .windowed : .piped
            case .oggFLAC, .aac, .matroska, .asf, .amr, .avi, .codedWAV: withFFmpeg ? .windowed : .whole
            // Phones write the index of an MP4 file at its end; free frames are found by seeking.
            case .mp4, .freeFormatMP3, .aiff, .caf, .other: .whole
            }
    }

    /// - Parameter beginning: the file's first bytes after tags.
    public init(beginning bytes: some Collection<UInt8>) {
        self.init(SoundFormat(beginning: bytes), withFFmpeg: FFmpeg.state == .loaded)
    }
}
