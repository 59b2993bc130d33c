import CSoundFile

/// A sound file that is read from its beginning, in pieces, as the recogniser takes it: 16 kHz, one channel.
///
/// Blocks on the file; not for the shared thread pool. Memory does not depend on what the header says.
public final class SoundFile {
    /// What is taken, wherever the file comes from.
    public static let sampleRates = 8_000...192_000
    public static let channelCounts = 1...16

    /// Frames read at once.
    private static let pieceLength = 8_192

    public let sampleRate: Int
    public let channels: Int

    // Owned by this object alone, freed in deinit.
    private let file: OpaquePointer
    private var resampler: Resampler
    private var interleaved: [Float]
    private var ended = false
    private var framesRead = 0

    /// - Parameter descriptor: open for reading and seeking, at its beginning; stays the caller's.
    public init(descriptor: Int32) throws(SoundFileError) {
        var information = SF_INFO()
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &information, Int32(SF_FALSE)) else {
            throw SoundFileError(
                code: .notAudio, message: "This is no sound file that can be read; send WAV, FLAC or Ogg.")
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
        self.interleaved = Array(repeating: 0, count: Self.pieceLength * channels)
    }

    deinit { sf_close(file) }

    /// The next samples, or `nil` at the end. A piece may be empty.
    public func read() throws(SoundFileError) -> [Int16]? {
        guard !ended else { return nil }
        let count = interleaved.withUnsafeMutableBufferPointer {
            // The buffer holds pieceLength frames of `channels` samples.
            sf_readf_float(file, $0.baseAddress, sf_count_t(Self.pieceLength))
        }
        framesRead += Int(max(0, count))
        if count < Self.pieceLength {
            // A header may promise more than there is: what is there is used.
            ended = true
            guard framesRead > 0 else {
                throw SoundFileError(code: .noFrames, message: "The sound file has no audio in it; record it again.")
            }
        }
        let frames = Int(max(0, count))
        var mono = [Float](repeating: 0, count: frames)
        for frame in 0..<frames {
            var sum: Float = 0
            for channel in 0..<channels { sum += interleaved[frame * channels + channel] }
            // A file of floating point samples can hold what is no number.
            mono[frame] = sum.isFinite ? min(max(sum / Float(channels), -1), 1) : 0
        }
        return try resampler.convert(mono, isLast: ended).map { Int16(min(max($0 * 32_768, -32_768), 32_767)) }
    }
}
