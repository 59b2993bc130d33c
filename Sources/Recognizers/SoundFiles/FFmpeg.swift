import CFFmpeg
import Synchronization

/// FFmpeg's libraries in this process.
public enum FFmpeg {
    public enum State: Sendable, Hashable {
        /// This process does without them.
        case unused
        case missing
        case loaded
    }

    private static let current = Mutex(State.unused)

    public static var state: State { current.withLock { $0 } }

    /// Loads the libraries, if they are installed. Call it before the process is confined.
    public static func load() {
        current.withLock {
            guard $0 == .unused else { return }
            var message = [CChar](repeating: 0, count: 512)
            $0 = vg_media_load(&message, message.count) == 0 ? .loaded : .missing
        }
    }
}

/// A file that FFmpeg's libraries decode.
final class FFmpegDecoder: SoundDecoder {
    /// Packets at the end that may be unreadable: the last one is often cut, or is a tag.
    private static let mostLost = 3

    private let source: SoundSource
    // Owned by this object alone, freed in deinit; it has a pointer to the source.
    private let media: OpaquePointer

    /// `nil` if it is not a known format, or has no sound of a known codec.
    init?(_ source: SoundSource) {
        let context = Unmanaged.passUnretained(source).toOpaque()
        let seek: vg_media_seek? =
            source.length == nil ? nil : { SoundSource.from($0)?.seek($1, $2) ?? -1 }
        guard
            let media = vg_media_open(
                context,
                { context, target, count in
                    guard let target, let source = SoundSource.from(context) else { return 0 }
                    return Int32(source.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
                }, seek, source.length ?? -1)
        else { return nil }
        self.source = source
        self.media = media
    }

    deinit { vg_media_close(media) }

    var duration: Double? {
        let duration = vg_media_duration(media)
        return duration > 0 ? duration : nil
    }

    var hasMore: Bool {
        vg_media_is_broken(media) != 0 || vg_media_lost(media) >= Self.mostLost
            || source.length == nil && source.rest().count > 0
    }

    func read(_ take: (SoundPiece) throws(SoundFileError) -> Void) throws(SoundFileError) -> Bool {
        var piece = vg_media_piece()
        let result = vg_media_read(media, &piece)
        guard result >= 0 else {
            throw SoundFileError(
                code: .broken, message: "There is not enough memory for the sound file; try again later.")
        }
        guard result > 0 else { return false }
        let count = Int(piece.frames) * Int(piece.channels)
        try take(
            SoundPiece(
                interleaved: UnsafeBufferPointer(start: piece.samples, count: count),
                channels: Int(piece.channels), sampleRate: Int(piece.rate)))
        return true
    }
}
