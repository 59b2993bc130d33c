import Foundation
import RecognizerProtocol
import Speech
import Synchronization

/// Brings the replies of two threads into the order in which they were spoken: while an utterance is decoded again, what is
/// said about the next one waits.
final class Outbox: Sendable {
    private struct State {
        /// Utterances whose final text was told; the next one to be told of has this number.
        var told = 0
        var starts: [Int: Double] = [:]
        var partials: [Int: PartialTranscript] = [:]
        var progress = 0.0
    }

    private let state = Mutex(State())
    private let send: @Sendable (WorkerReply) -> Void

    /// - Parameter send: is called by one thread at a time.
    init(send: @escaping @Sendable (WorkerReply) -> Void) {
        self.send = send
    }

    func speechStarted(_ utterance: Int, at time: Double) {
        state.withLock {
            $0.starts[utterance] = time
            if $0.told == utterance { send(.recognized(.speechStarted(at: time))) }
        }
    }

    func partial(_ utterance: Int, _ partial: PartialTranscript) {
        state.withLock {
            if $0.told == utterance { send(.recognized(.partial(partial))) } else { $0.partials[utterance] = partial }
        }
    }

    func final(_ utterance: Int, _ understanding: Understanding) {
        final(utterance, understanding.transcript, noise: understanding.noise)
    }

    /// - Parameter noise: decibels of the utterance where that is to be told first.
    func final(_ utterance: Int, _ transcript: Transcript, noise: Double? = nil) {
        state.withLock {
            if let noise { send(.recognized(.noisy(decibels: noise))) }
            send(.recognized(.final(transcript)))
            $0.starts[utterance] = nil
            $0.told = utterance + 1
            if let start = $0.starts[$0.told] { send(.recognized(.speechStarted(at: start))) }
            if let partial = $0.partials.removeValue(forKey: $0.told) { send(.recognized(.partial(partial))) }
        }
    }

    /// Tells at most once for each second of audio.
    func progress(_ time: Double) {
        state.withLock {
            guard time >= $0.progress + 1 else { return }
            $0.progress = time
            send(.progress(time))
        }
    }

    func learnt(_ mean: CepstralMean) {
        state.withLock { _ in send(.recognized(.learnt(mean))) }
    }

    func finished(duration: Double) {
        state.withLock { _ in send(.recognized(.finished(duration: duration))) }
    }
}

/// The worker's end of the socket to the service. Blocks.
final class ServiceConnection {
    static let descriptor: Int32 = 3

    private var decoder = WyomingDecoder()

    /// The next request, or `nil` when the service closed the socket.
    func next() throws -> WorkerRequest? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let event = try decoder.next() { return try WorkerRequest(event) }
            let count = read(Self.descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(bytes[..<count])
        }
    }

    /// Nothing can be told when this fails, and nobody listens any more: the process ends.
    @Sendable static func send(_ reply: WorkerReply) {
        guard let bytes = try? reply.event.encoded() else { exit(EXIT_FAILURE) }
        write(bytes)
    }

    static func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(EXIT_FAILURE) }
            sent += count
        }
    }
}

/// Hands values from one thread to another; a full queue holds the giver back.
final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    // Safe: the two variables are touched only while the condition is locked.
    private let condition = NSCondition()
    private var elements: [Element] = []
    private var isClosed = false
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    func put(_ element: Element) {
        condition.withLock {
            while elements.count >= capacity && !isClosed { condition.wait() }
            elements.append(element)
            condition.broadcast()
        }
    }

    /// The next value, or `nil` when the queue is closed and empty.
    func take() -> Element? {
        condition.withLock {
            while elements.isEmpty && !isClosed { condition.wait() }
            defer { condition.broadcast() }
            return elements.isEmpty ? nil : elements.removeFirst()
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }
}

/// Brings what several decoders found into the order in which it was spoken, and tells how far all is done.
final class FileOutbox: Sendable {
    private struct State {
        /// Utterances that were told of; the next one to be told of has this number.
        var told = 0
        /// Those that are ready before their turn.
        var waiting: [Int: Understanding] = [:]
        /// How far the file was read, and how many utterances had begun by then.
        var read: (seconds: Double, utterances: Int)?
        var duration: Double?
        /// Seconds that were told as done.
        var progress = -1.0
    }

    private let state = Mutex(State())
    private let send: @Sendable (WorkerReply) -> Void

    /// - Parameter send: is called by one thread at a time.
    init(send: @escaping @Sendable (WorkerReply) -> Void) {
        self.send = send
    }

    func opened(duration: Double?) {
        state.withLock {
            $0.duration = duration
            tell(0, &$0)
        }
    }

    /// An utterance is decoded. In any order.
    func final(_ utterance: Int, _ understanding: Understanding) {
        state.withLock {
            $0.waiting[utterance] = understanding
            while let next = $0.waiting.removeValue(forKey: $0.told) {
                $0.told += 1
                send(.recognized(.speechStarted(at: next.transcript.start)))
                if let noise = next.noise { send(.recognized(.noisy(decibels: noise))) }
                send(.recognized(.final(next.transcript)))
                tell(next.transcript.end, &$0)
            }
            if let read = $0.read, $0.told == read.utterances { tell(read.seconds, &$0) }
        }
    }

    /// The file was read up to here.
    ///
    /// - Parameter utterances: how many began before.
    func read(to seconds: Double, utterances: Int) {
        state.withLock {
            $0.read = (seconds, utterances)
            if $0.told == utterances { tell(seconds, &$0) }
        }
    }

    func finished(duration: Double) {
        state.withLock { _ in send(.recognized(.finished(duration: duration))) }
    }

    /// At most once for each second of audio.
    private func tell(_ seconds: Double, _ state: inout State) {
        guard seconds >= state.progress + 1 else { return }
        state.progress = seconds
        send(.recognized(.progress(seconds: seconds, duration: state.duration)))
    }
}
