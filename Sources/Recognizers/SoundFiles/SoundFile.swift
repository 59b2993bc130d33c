import Base
import Speech

/// Reads a sound file in pieces, in the recogniser's format: 16 kHz, one channel.
///
/// Uncompressed sound is read by libsndfile, compressed sound by FFmpeg's libraries if they are loaded; each reads what the other
/// refuses. Blocks on the file; not for the shared thread pool. Memory does not depend on the header.
public final class SoundFile {
    /// The accepted rates and channel counts.
    public static let sampleRates = 8_000...192_000
    public static let channelCounts = 1...16

    /// Sound that a header may promise too much: encoders round, and state estimates.
    private static let slack = (seconds: 1.0, share: 0.02)

    private let decoder: any SoundDecoder
    /// For the rate and channels of the last piece, which can change within a file.
    private var conversion: Conversion?
    private var framesRead = 0
    private var seconds = 0.0
    private var ended = false

    /// Why the file was not read to its end; known when `read` has returned `nil`.
    public private(set) var incompleteness: String?

    /// Seconds of audio by the header, which can be wrong; `nil`: unknown.
    public var duration: Double? { decoder.duration }

    private struct Conversion {
        let sampleRate: Int
        var mix: ChannelMix
        let resampler: Resampler
    }

    /// - Parameters:
    ///   - descriptor: open for reading, at its beginning; the caller closes it. A pipe unless the access is `whole`.
    ///   - form: how the file can be read.
    public init(
        descriptor: Int32, form: SoundFileForm = SoundFileForm(format: .other, access: .whole)
    ) throws(SoundFileError) {
        let source = SoundSource(descriptor: descriptor, isStream: form.access != .whole)
        guard let decoder = Self.decoder(of: source, form) else { throw Self.unreadable(form.format) }
        self.decoder = decoder
    }

    private static func decoder(of source: SoundSource, _ form: SoundFileForm) -> (any SoundDecoder)? {
        func media() -> (any SoundDecoder)? { form.usesFFmpeg ? FFmpegDecoder(source) : nil }
        if form.format.isCompressed, let found = media() { return found }
        guard source.rewind() else { return nil }
        if form.format.isOfLibsndfile, let found = SndfileDecoder(source, form) { return found }
        guard !form.format.isCompressed, form.access != .piped, source.rewind() else { return nil }
        return media()
    }

    /// The next samples, or `nil` at the end. A piece may be empty.
    public func read() throws(SoundFileError) -> [Int16]? {
        guard !ended else { return nil }
        var samples: [Int16] = []
        let isPiece = try decoder.read { (piece) throws(SoundFileError) in samples = try converted(piece) }
        guard !isPiece else { return samples }
        ended = true
        guard framesRead > 0 else {
            throw SoundFileError(code: .noFrames, message: "The sound file has no audio; record it again.")
        }
        incompleteness = whatIsMissing()
        return try conversion.map { (last) throws(SoundFileError) in
            Self.integers(try last.resampler.convert([], isLast: true))
        }
    }

    private func converted(_ piece: SoundPiece) throws(SoundFileError) -> [Int16] {
        var earlier: [Int16] = []
        if conversion?.sampleRate != piece.sampleRate || conversion?.mix.channels != piece.channels {
            guard Self.sampleRates.contains(piece.sampleRate), Self.channelCounts.contains(piece.channels) else {
                throw SoundFileError(
                    code: .formatNotSupported,
                    message: "The sound file has \(piece.sampleRate) frames a second and \(piece.channels) channels; "
                        + "send 8,000 to 192,000 and at most 16.")
            }
            if let conversion { earlier = Self.integers(try conversion.resampler.convert([], isLast: true)) }
            conversion = Conversion(
                sampleRate: piece.sampleRate, mix: ChannelMix(channels: piece.channels, rate: piece.sampleRate),
                resampler: try Resampler(from: piece.sampleRate))
        }
        let frames = piece.interleaved.count / piece.channels
        framesRead += frames
        seconds += Double(frames) / Double(piece.sampleRate)
        let mono = conversion?.mix.mix(piece.interleaved) ?? []
        return earlier + Self.integers(try conversion?.resampler.convert(mono, isLast: false) ?? [])
    }

    private static func integers(_ samples: [Float]) -> [Int16] {
        samples.map { Int16(min(max($0 * 32_768, -32_768), 32_767)) }
    }

    private func whatIsMissing() -> String? {
        let read = "The sound file could be read up to \(Self.clock(seconds))"
        if let duration, duration > seconds + max(Self.slack.seconds, Self.slack.share * duration) {
            return "\(read) of \(Self.clock(duration)): it is cut off or damaged. Send the whole file to get the rest."
        }
        guard decoder.hasMore else { return nil }
        return "\(read), where it is damaged or another recording begins. Repair or convert it to get the rest."
    }

    /// `1:02:03.5`, `2:03.5`.
    private static func clock(_ seconds: Double) -> String {
        let tenths = Int((min(seconds, 1e9) * 10).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(rest)).\(tenths % 10)"
    }

    /// Names what was sent, and what would have been read.
    private static func unreadable(_ format: SoundFormat) -> SoundFileError {
        let read = "send WAV, FLAC, Ogg, MP3, AIFF, CAF or AU"
        guard format != .other else {
            return SoundFileError(code: .notAudio, message: "This is not a readable sound file; \(read).")
        }
        let message =
            switch FFmpeg.state {
            case .loaded: "This \(format.rawValue) file is damaged, or has no sound that can be decoded; \(read)."
            case .missing where !format.isOfLibsndfile || format == .codedWAV:
                "This is a file of the format \(format.rawValue). Install FFmpeg's libraries (libavformat) to read it, or \(read)."
            case .missing: "This \(format.rawValue) file is damaged, or has an unusual codec; \(read)."
            case .unused: "This is a file of the format \(format.rawValue), which is not read here; \(read)."
            }
        return SoundFileError(code: .notAudio, message: message)
    }
}

/// Why a sound file cannot be read.
public typealias SoundFileError = CodedError<SoundFileErrorCode>

public enum SoundFileErrorCode: String, Sendable, Hashable, CaseIterable {
    /// Not a known format, or damaged.
    case notAudio
    /// It has no audio.
    case noFrames
    /// An unsupported rate or number of channels.
    case formatNotSupported
    /// The audio cannot be read or converted.
    case broken
}
