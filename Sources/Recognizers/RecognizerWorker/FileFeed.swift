import CLinux
import Foundation
import RecognizerProtocol
import SoundFiles
import Speech
import Synchronization

/// Receives a sound file from the service on its own thread and passes it on: through a pipe if it can be read as a
/// stream, else through a file in memory. A full pipe makes the service wait.
public final class FileFeed: Sendable {
    /// The largest file that must be in memory as a whole.
    private static let largestWhole = 256 << 20

    /// Where to read the file.
    struct Source: Sendable {
        let descriptor: Int32
        let form: SoundFileForm
    }

    /// Must be made before the worker is confined, which forbids it.
    public struct Pipe: Sendable {
        let reader: Int32
        let writer: Int32

        public init() {
            var ends: [Int32] = [-1, -1]
            Confinement.confine("make a pipe", Glibc.pipe(&ends) == 0 ? 0 : errno)
            (reader, writer) = (ends[0], ends[1])
        }
    }

    private let pipe: Pipe
    private let opened = BlockingQueue<Source?>(capacity: 1)
    private let failure = Mutex<RecognitionError?>(nil)

    /// Starts to read the connection, which only the feed may use from here on.
    public init(pipe: Pipe, _ connection: sending ServiceConnection) {
        self.pipe = pipe
        let thread = Thread { [self, connection = Handed(value: connection)] in
            do {
                try run(connection.value)
            } catch {
                failure.withLock { $0 = RecognitionError(error) }
            }
            // The reader gets the end of the file, and then the reason.
            opened.close()
            close(pipe.writer)
        }
        thread.start()
    }

    /// Waits until it is known how the file can be read.
    func source() throws(RecognitionError) -> Source {
        guard case .some(.some(let source)) = opened.take() else { throw reason ?? Self.unreadable }
        return source
    }

    /// Call it when the sound was read to its end. Skips a little more, such as tags after the sound.
    ///
    /// - Throws: why the file was cut off.
    func end() throws(RecognitionError) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var rounds = 0
        while rounds < 32 {
            let count = read(pipe.reader, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rounds += 1
        }
        if let reason { throw reason }
    }

    private var reason: RecognitionError? { failure.withLock { $0 } }

    private func run(_ connection: ServiceConnection) throws {
        var beginning = SoundBeginning()
        var target: Int32?
        var length = 0
        var isEmpty = true
        while true {
            let bytes: [UInt8]
            let isEnd: Bool
            let request = try connection.next()
            switch request {
            case .file(let piece):
                isEmpty = isEmpty && piece.isEmpty
                (bytes, isEnd) = (beginning.take(piece), false)
            case .finish: (bytes, isEnd) = (beginning.rest(), true)
            // The service has closed the connection.
            case nil: _exit(EXIT_SUCCESS)
            case .start, .audio: throw RecognitionError.outOfOrder
            }
            guard !isEnd || !isEmpty else { throw Self.empty }
            if target == nil, let form = beginning.form {
                target = form.access == .whole ? try Self.memory() : pipe.writer
                if form.access != .whole { opened.put(Source(descriptor: pipe.reader, form: form)) }
            }
            guard let target else { continue }
            length += bytes.count
            guard target == pipe.writer || length <= Self.largestWhole else { throw Self.tooLarge }
            guard ServiceConnection.write(bytes, to: target) else { throw Self.noMemory }
            guard isEnd else { continue }
            if target != pipe.writer, let form = beginning.form {
                opened.put(Source(descriptor: target, form: form))
            }
            return
        }
    }

    private static func memory() throws(RecognitionError) -> Int32 {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else { throw noMemory }
        return descriptor
    }

    private static let noMemory = RecognitionError(
        code: .badAudio, message: "There is not enough memory for the sound file; try again later.")
    private static let tooLarge = RecognitionError(
        code: .badAudio,
        message:
            "The sound file is larger than \(largestWhole >> 20) MB, and its format cannot be read as a stream; "
            + "send it as WAV, FLAC, Ogg or MP3, or in parts.")
    private static let empty = RecognitionError(
        code: .badAudio, message: "The sound file is empty: it has no bytes. Check what should have written it.")
    private static let unreadable = RecognitionError(code: .badAudio, message: "No sound file was received.")

    // Safe: one thread makes it and gives it up; only the other uses it.
    private struct Handed: @unchecked Sendable {
        let value: ServiceConnection
    }
}

extension UtteranceSession {
    /// A day: a file without an end must come to one.
    private static let longest: Int64 = 24 * 3600 * 16_000

    /// Takes all audio of a file.
    public func takeFile(_ feed: FileFeed) throws(RecognitionError) {
        let source = try feed.source()
        do throws(SoundFileError) {
            let sound = try SoundFile(descriptor: source.descriptor, form: source.form)
            var position: Int64 = 0
            var isOpened = false
            while let samples = try sound.read() {
                if !isOpened { strategy.outbox.opened(duration: sound.duration) }
                isOpened = true
                take(samples, at: position)
                position += Int64(samples.count)
                guard position <= Self.longest else {
                    throw SoundFileError(
                        code: .formatNotSupported,
                        message: "The sound file is longer than 24 hours; send it in parts.")
                }
            }
            sound.incompleteness.map(strategy.outbox.incomplete)
        } catch {
            throw RecognitionError(code: .badAudio, message: error.message)
        }
        try feed.end()
        finish()
    }
}
