import CSoundFile
import Glibc

/// A file that libsndfile decodes. It takes any damage for the end, without an error.
final class SndfileDecoder: SoundDecoder {
    /// Samples read at once, of all channels.
    private static let pieceLength = 16 * 8_192
    /// Tags after the sound of compressed files, in bytes; pictures are before it.
    private static let longestTag = 4_096

    private let source: SoundSource
    private let isCompressed: Bool
    // Owned by this object alone, freed in deinit; it has a pointer to the source while the file is open.
    private let file: OpaquePointer
    private let information: SF_INFO
    private var buffer: [Float] = []

    /// `nil` if the library refuses the file.
    init?(_ source: SoundSource, _ form: SoundFileForm) {
        var information = SF_INFO()
        let opened: OpaquePointer?
        if form.access == .windowed {
            var callbacks = SoundSource.callbacks
            opened = sf_open_virtual(
                &callbacks, Int32(SFM_READ), &information, Unmanaged.passUnretained(source).toOpaque())
        } else {
            // Of its own, with the same position: it closes the descriptor of a file that it refuses, whatever it is told.
            let copy = fcntl(source.descriptor, F_DUPFD_CLOEXEC, 0)
            opened = sf_open_fd(copy, Int32(SFM_READ), &information, Int32(SF_TRUE))
        }
        guard let file = opened else { return nil }
        guard information.channels > 0, information.samplerate > 0 else {
            sf_close(file)
            return nil
        }
        self.file = file
        self.source = source
        self.information = information
        isCompressed = [.flac, .ogg, .mp3, .freeFormatMP3].contains(form.format)
    }

    deinit { sf_close(file) }

    var duration: Double? {
        let frames = information.frames
        // libsndfile reports an unknown length as the largest one.
        guard frames > 0, frames < 1 << 40 else { return nil }
        // Programs write such lengths into a header before the length is known.
        let placeholders = [0x7000_0000..<0x8000_0001 as Range<Int64>, 0xFFFF_0000..<Int64.max]
        let bytes = frames * Int64(information.channels) * sampleLength
        guard !isWAV || !placeholders.contains(where: { $0.contains(bytes) }) else { return nil }
        return Double(frames) / Double(information.samplerate)
    }

    var hasMore: Bool {
        let rest = source.rest()
        return rest.hasSound || rest.count > Self.longestTag && (isCompressed || isWAV && !rest.isChunk)
    }

    func read(_ take: (SoundPiece) throws(SoundFileError) -> Void) throws(SoundFileError) -> Bool {
        let channels = Int(information.channels)
        let frames = max(1, min(Self.pieceLength / channels, 8_192))
        if buffer.isEmpty { buffer = Array(repeating: 0, count: frames * channels) }
        let count = buffer.withUnsafeMutableBufferPointer {
            // The buffer has this many frames of `channels` samples.
            sf_readf_float(file, $0.baseAddress, sf_count_t(frames))
        }
        guard count > 0 else { return false }
        let result = buffer.withUnsafeBufferPointer { buffer -> Result<Void, SoundFileError> in
            Result { () throws(SoundFileError) in
                try take(
                    SoundPiece(
                        interleaved: UnsafeBufferPointer(rebasing: buffer[..<(Int(count) * channels)]),
                        channels: channels, sampleRate: Int(information.samplerate)))
            }
        }
        try result.get()
        return true
    }

    private var isWAV: Bool { Int(information.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_WAV }

    private var sampleLength: Int64 {
        switch Int(information.format) & SF_FORMAT_SUBMASK {
        case SF_FORMAT_PCM_16: 2
        case SF_FORMAT_PCM_24: 3
        case SF_FORMAT_PCM_32, SF_FORMAT_FLOAT: 4
        case SF_FORMAT_DOUBLE: 8
        default: 1
        }
    }
}
