import RecognizerProtocol
import SoundFiles
import Speech
import Synchronization

/// Words from audio that is there already, decoded by a whole crew: final texts alone, in order.
final class FileDictation: Listener {
    /// Times are rounded to milliseconds on their way to a client and back.
    private static let tolerance = 0.005

    private let crew: DecoderCrew
    private let outbox: FileOutbox
    private let configuration: RecognitionConfiguration
    private var cutter: UtteranceCutter
    /// Utterances that began.
    private var begun = 0
    /// Utterances that were handed to the crew.
    private var count = 0

    init(configuration: RecognitionConfiguration, crew: DecoderCrew, outbox: FileOutbox) {
        self.configuration = configuration
        self.crew = crew
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        if begun == count { outbox.read(to: LiveSession.seconds(cutter.position), utterances: count) }
    }

    func finish() {
        handle(cutter.finish())
        crew.finish()
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began: begun += 1
            case .heard, .paused, .resumed: break
            case .ended(let position, let samples):
                let start = LiveSession.seconds(position - Int64(samples.count))
                // What was cut before is cut in the same places again, so the rest is the same as without a pause.
                guard start >= configuration.from - Self.tolerance else {
                    begun -= 1
                    continue
                }
                let utterance = Utterance(number: count, start: start, samples: samples)
                count += 1
                crew.work { [outbox] decoder in
                    outbox.final(utterance.number, decoder.understanding(of: utterance))
                }
            }
        }
    }
}

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

/// Turns the signs of life of a session that reads a file into what a client is told: how far it is, and of how much.
final class FileProgress: Sendable {
    private let isFile: Bool
    private let duration = Mutex<Double?>(nil)
    private let onward: @Sendable (WorkerReply) -> Void

    init(isFile: Bool, send: @escaping @Sendable (WorkerReply) -> Void) {
        self.isFile = isFile
        self.onward = send
    }

    func opened(duration: Double?) {
        self.duration.withLock { $0 = duration }
        onward(.recognized(.progress(seconds: 0, duration: duration)))
    }

    @Sendable func send(_ reply: WorkerReply) {
        guard isFile, case .progress(let seconds) = reply else { return onward(reply) }
        onward(.recognized(.progress(seconds: seconds, duration: duration.withLock { $0 })))
    }
}

/// Looks at the first bytes of a file: leaves a tag away that stands before the sound, and tells how the rest can be read.
struct FileBeginning {
    /// `nil` until enough came.
    private(set) var form: SoundFileForm?

    private var held: [UInt8] = []
    /// Bytes of a tag that are still to come.
    private var unwanted = 0

    /// - Returns: what of the file is known to be wanted.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        guard form == nil else { return piece }
        let dropped = min(unwanted, piece.count)
        unwanted -= dropped
        held += piece.dropFirst(dropped)
        while unwanted == 0, let length = SoundFileForm.tagLength(held) {
            unwanted = max(0, length - held.count)
            held.removeFirst(min(length, held.count))
        }
        guard unwanted == 0, held.count >= SoundFileForm.tellingLength else { return [] }
        return rest()
    }

    /// No more comes.
    mutating func rest() -> [UInt8] {
        if form == nil { form = SoundFileForm(beginning: held) }
        defer { held = [] }
        return held
    }
}
