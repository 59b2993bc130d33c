import CLinux
import Foundation
import RecognizerProtocol
import SoundFiles
import Speech
import Synchronization

/// Takes a sound file from the service on a thread of its own and hands it on: through a pipe where it can be read as it
/// comes, through a file in memory where not. The pipe holds back the service while the reader is behind.
final class FileFeed: Sendable {
    /// What a file may have that must be there as a whole.
    static let largestWhole = 256 << 20

    /// Where to read the file.
    struct Source: Sendable {
        let descriptor: Int32
        let form: SoundFileForm
    }

    /// To be made before the worker is locked in, which forbids it.
    struct Pipe: Sendable {
        let reader: Int32
        let writer: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard Glibc.pipe(&ends) == 0 else { return nil }
            (reader, writer) = (ends[0], ends[1])
        }
    }

    private let pipe: Pipe
    private let opened = BlockingQueue<Source?>(capacity: 1)
    private let failure = Mutex<RecognitionError?>(nil)

    init(pipe: Pipe) {
        self.pipe = pipe
    }

    /// Begins to read the connection, which is the feed's from here on.
    func start(_ connection: sending ServiceConnection) {
        let thread = Thread { [self, connection = Handed(connection)] in
            do throws(RecognitionError) {
                try run(connection.value)
            } catch {
                failure.withLock { $0 = error }
            }
            // What waits for the file gets its end, and then the reason.
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

    /// To be called when the file was read to its end. Lets a little more come, as tags behind the sound.
    ///
    /// - Throws: why the end was none.
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

    private func run(_ connection: ServiceConnection) throws(RecognitionError) {
        var beginning = FileBeginning()
        var target: Int32?
        var length = 0
        while true {
            let bytes: [UInt8]
            let isEnd: Bool
            switch try Self.next(connection) {
            case .file(let piece): (bytes, isEnd) = (beginning.take(piece), false)
            case .finish: (bytes, isEnd) = (beginning.rest(), true)
            // Nobody is there any more to hear of it.
            case nil: _exit(EXIT_SUCCESS)
            case .start, .audio: throw RecognitionError.outOfOrder
            }
            if target == nil, let form = beginning.form ?? (isEnd ? .whole : nil) {
                target = form == .whole ? try Self.memory() : pipe.writer
                if form != .whole { opened.put(Source(descriptor: pipe.reader, form: form)) }
            }
            guard let target else { continue }
            length += bytes.count
            guard target == pipe.writer || length <= Self.largestWhole else { throw Self.tooLarge }
            try Self.write(bytes, to: target)
            guard isEnd else { continue }
            if target != pipe.writer {
                lseek(target, 0, SEEK_SET)
                opened.put(Source(descriptor: target, form: .whole))
            }
            return
        }
    }

    private static func next(_ connection: ServiceConnection) throws(RecognitionError) -> WorkerRequest? {
        do {
            return try connection.next()
        } catch {
            throw RecognitionError(code: .protocolViolation, message: "\(error)")
        }
    }

    private static func memory() throws(RecognitionError) -> Int32 {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else { throw noMemory }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(RecognitionError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw noMemory }
            sent += count
        }
    }

    private static let noMemory = RecognitionError(
        code: .badAudio, message: "There is no memory for the sound file; try again later.")
    private static let tooLarge = RecognitionError(
        code: .badAudio,
        message:
            "The sound file is larger than \(largestWhole >> 20) MB, and of a kind that cannot be read as it comes; "
            + "send it as WAV, FLAC, Ogg or MP3, or in parts.")
    private static let unreadable = RecognitionError(code: .badAudio, message: "The sound file did not come.")

    // Safe: made by one thread, which gives it up, and used by the other alone.
    private struct Handed: @unchecked Sendable {
        let value: ServiceConnection

        init(_ value: ServiceConnection) { self.value = value }
    }
}
