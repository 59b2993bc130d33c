import Base
import CSoundFile

/// Reads a sound file in pieces, in the recogniser's format: 16 kHz, one channel.
///
/// Blocks on the file; not for the shared thread pool. Memory does not depend on the header.
public final class SoundFile {
    /// The accepted rates and channel counts.
    public static let sampleRates = 8_000...192_000
    public static let channelCounts = 1...16

    /// Frames read at once.
    private static let pieceLength = 8_192

    public let sampleRate: Int
    public let channels: Int

    /// Seconds of audio by the header, which can be wrong; `nil`: unknown.
    public let duration: Double?

    // Owned by this object alone, freed in deinit.
    private let file: OpaquePointer
    // libsndfile has a pointer to it while the file is open.
    private let window: StreamWindow?
    private var resampler: Resampler
    private var interleaved: [Float]
    private var ended = false
    private var framesRead = 0

    /// - Parameters:
    ///   - descriptor: open for reading, at its beginning; the caller closes it. A pipe unless the form is `whole`.
    ///   - form: how the file can be read.
    public init(descriptor: Int32, form: SoundFileForm = .whole) throws(SoundFileError) {
        var information = SF_INFO()
        let window = form == .windowed ? StreamWindow(descriptor: descriptor) : nil
        let opened: OpaquePointer?
        if let window {
            var callbacks = StreamWindow.callbacks
            opened = sf_open_virtual(
                &callbacks, Int32(SFM_READ), &information, Unmanaged.passUnretained(window).toOpaque())
        } else {
            opened = sf_open_fd(descriptor, Int32(SFM_READ), &information, Int32(SF_FALSE))
        }
        guard let file = opened else {
            throw SoundFileError(
                code: .notAudio, message: "This is not a readable sound file; send WAV, FLAC or Ogg.")
        }
        self.sampleRate = Int(information.samplerate)
        self.channels = Int(information.channels)
        do throws(SoundFileError) {
            guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channels) else {
                throw SoundFileError(
                    code: .formatNotSupported,
                    message: "The sound file has \(sampleRate) frames a second and \(channels) channels; "
                        + "send 8,000 to 192,000 and at most 16.")
            }
            self.resampler = try Resampler(from: sampleRate)
        } catch {
            sf_close(file)
            throw error
        }
        self.file = file
        self.window = window
        self.duration = Self.duration(information)
        self.interleaved = Array(repeating: 0, count: Self.pieceLength * channels)
    }

    deinit { sf_close(file) }

    /// The next samples, or `nil` at the end. A piece may be empty.
    public func read() throws(SoundFileError) -> [Int16]? {
        guard !ended else { return nil }
        let count = interleaved.withUnsafeMutableBufferPointer {
            // The buffer has pieceLength frames of `channels` samples.
            sf_readf_float(file, $0.baseAddress, sf_count_t(Self.pieceLength))
        }
        framesRead += Int(max(0, count))
        if count < Self.pieceLength {
            // A truncated file is used up to its end.
            ended = true
            guard framesRead > 0 else {
                throw SoundFileError(code: .noFrames, message: "The sound file has no audio; record it again.")
            }
        }
        let frames = Int(max(0, count))
        var mono = [Float](repeating: 0, count: frames)
        for frame in 0..<frames {
            var sum: Float = 0
            for channel in 0..<channels { sum += interleaved[frame * channels + channel] }
            // Floating point samples can be NaN or infinite.
            mono[frame] = sum.isFinite ? min(max(sum / Float(channels), -1), 1) : 0
        }
        return try resampler.convert(mono, isLast: ended).map { Int16(min(max($0 * 32_768, -32_768), 32_767)) }
    }

    private static func duration(_ information: SF_INFO) -> Double? {
        let frames = information.frames
        // libsndfile reports an unknown length as the largest one.
        guard frames > 0, frames < 1 << 40 else { return nil }
        // Programs write such lengths into a header before the length is known.
        let placeholders = [0x7FFF_0000..<0x8000_0000 as Range<Int64>, 0xFFFF_0000..<Int64.max]
        let isWAV = Int(information.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_WAV
        let bytes = frames * Int64(information.channels) * sampleLength(information)
        guard !isWAV || !placeholders.contains(where: { $0.contains(bytes) }) else { return nil }
        return Double(frames) / Double(information.samplerate)
    }

    private static func sampleLength(_ information: SF_INFO) -> Int64 {
        switch Int(information.format) & SF_FORMAT_SUBMASK {
        case SF_FORMAT_PCM_16: 2
        case SF_FORMAT_PCM_24: 3
        case SF_FORMAT_PCM_32, SF_FORMAT_FLOAT: 4
        case SF_FORMAT_DOUBLE: 8
        default: 1
        }
    }
}

/// How a sound file can be read, determined from its first bytes. Measured with libsndfile 1.2.0: streaming gives the same
/// samples as a seekable file.
public enum SoundFileForm: Sendable, Hashable {
    /// As a stream from a pipe: WAV, AU, Ogg with Vorbis or Opus, MP3.
    case piped
    /// As a stream whose beginning is read twice: FLAC, RF64.
    case windowed
    /// Only as a whole: other formats, such as AIFF and CAF, or Ogg with FLAC.
    case whole

    /// The number of bytes that determine the form.
    public static let signatureLength = 36

    /// - Parameter beginning: the file's first bytes after tags.
    public init(beginning bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.signatureLength))
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

    /// The length of the ID3v2 tag at the file's beginning, including its header; `nil`: none (ID3v2.4, section 3.1).
    ///
    /// Such tags can have large pictures; libsndfile reads only small tags from a pipe.
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

/// Why a sound file cannot be read.
public typealias SoundFileError = CodedError<SoundFileErrorCode>

public enum SoundFileErrorCode: String, Sendable, Hashable, CaseIterable {
    /// Not a format of libsndfile, or damaged.
    case notAudio
    /// It has no audio.
    case noFrames
    /// An unsupported rate or number of channels.
    case formatNotSupported
    /// The audio cannot be read or converted.
    case broken
}
