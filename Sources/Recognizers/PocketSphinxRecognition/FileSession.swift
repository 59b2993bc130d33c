import SoundFiles
import Speech

/// Words from a sound file, which is read as it comes and never lies on a disk.
struct FileSession {
    /// A day: a file without an end must come to one.
    static let longest: Int64 = 24 * 3600 * 16_000

    let feed: FileFeed
    let listener: any Listener
    /// Told the file's length in seconds, where it says so, before anything else.
    let opened: (Double?) -> Void

    /// Decodes the whole file.
    func run() throws(RecognitionError) {
        let source = try feed.source()
        do throws(SoundFileError) {
            let sound = try SoundFile(descriptor: source.descriptor, form: source.form)
            var position: Int64 = 0
            while let samples = try sound.read() {
                if position == 0 { opened(sound.duration) }
                listener.take(samples, at: position)
                position += Int64(samples.count)
                guard position <= Self.longest else { throw Self.tooLong }
            }
        } catch {
            throw RecognitionError(code: .badAudio, message: error.message)
        }
        try feed.end()
        listener.finish()
    }

    private static let tooLong = SoundFileError(
        code: .formatNotSupported, message: "The sound file is longer than a day; send it in parts.")
}
