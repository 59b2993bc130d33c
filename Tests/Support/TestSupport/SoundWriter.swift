import CSoundFile
import Foundation

/// Sound files of the formats that people send, written by libsndfile.
public enum SoundWriter {
    public enum Format: String, Sendable, CaseIterable {
        case wav, wav24, wavFloat, au, flac, vorbis, opus, mp3, aiff, caf, rf64

        var code: Int32 {
            let code =
                switch self {
                case .wav: SF_FORMAT_WAV | SF_FORMAT_PCM_16
                case .wav24: SF_FORMAT_WAV | SF_FORMAT_PCM_24
                case .wavFloat: SF_FORMAT_WAV | SF_FORMAT_FLOAT
                case .au: SF_FORMAT_AU | SF_FORMAT_PCM_16
                case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_16
                case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
                case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
                case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
                case .aiff: SF_FORMAT_AIFF | SF_FORMAT_PCM_16
                case .caf: SF_FORMAT_CAF | SF_FORMAT_PCM_16
                case .rf64: SF_FORMAT_RF64 | SF_FORMAT_PCM_16
                }
            return Int32(code)
        }
    }

    public struct Failure: Error {}

    /// - Parameters:
    ///   - samples: of one channel; each channel gets them.
    ///   - rate: of the samples as they are; nothing is converted.
    public static func bytes(
        of samples: [Int16], as format: Format, rate: Int = 16_000, channels: Int = 1
    ) throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "sound-\(UUID().uuidString)"
        defer { unlink(path) }
        var information = SF_INFO()
        information.samplerate = Int32(rate)
        information.channels = Int32(channels)
        information.format = format.code
        guard let file = sf_open(path, Int32(SFM_WRITE), &information) else { throw Failure() }
        // Tags at the end are what readers of streams stumble over.
        sf_set_string(file, Int32(SF_STR_TITLE), "A test")
        let interleaved = samples.flatMap { Array(repeating: $0, count: channels) }
        // In pieces: libsndfile's Vorbis encoder takes all of a call onto its stack.
        var start = 0
        while start < samples.count {
            let frames = min(4_096, samples.count - start)
            let written = interleaved[(start * channels)..<((start + frames) * channels)].withUnsafeBufferPointer {
                sf_writef_short(file, $0.baseAddress, sf_count_t(frames))
            }
            guard written == frames else {
                sf_close(file)
                throw Failure()
            }
            start += frames
        }
        guard sf_close(file) == 0 else { throw Failure() }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
