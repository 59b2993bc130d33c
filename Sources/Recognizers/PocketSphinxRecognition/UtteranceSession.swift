import RecognizerProtocol
import Speech
import Synchronization

/// What a session does with the utterances of its audio. Times are seconds of audio since the session's first sample.
protocol UtteranceStrategy: AnyObject {
    var outbox: Outbox { get }

    /// Frames of 10 ms of silence after which `paused` is called; `nil`: never.
    var breath: Int? { get }

    /// - Parameter number: of the utterance; the first is 0.
    func began(_ number: Int, at start: Double)
    func heard(_ samples: [Int16])
    func paused()
    func resumed()
    func ended(_ utterance: Utterance)

    /// The audio up to here is cut into utterances.
    func advanced(to seconds: Double)

    /// The audio has ended. Returns when everything is reported.
    func finish(duration: Double)
}

extension UtteranceStrategy {
    var breath: Int? { nil }

    func began(_ number: Int, at start: Double) {}
    func heard(_ samples: [Int16]) {}
    func paused() {}
    func resumed() {}

    func advanced(to seconds: Double) { outbox.progress(seconds) }

    func finish(duration: Double) { outbox.finished(duration: duration) }
}

/// Cuts a session's audio into utterances and passes them to a strategy.
final class UtteranceSession {
    let strategy: any UtteranceStrategy
    private var cutter: UtteranceCutter
    private var number = 0

    init(_ configuration: RecognitionConfiguration, _ strategy: any UtteranceStrategy) {
        var settings = Endpointer.Settings(pause: configuration.endSilence)
        if let breath = strategy.breath { settings.breath = min(breath, settings.endSilence / 2) }
        self.cutter = UtteranceCutter(settings: settings)
        self.strategy = strategy
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        strategy.advanced(to: Self.seconds(cutter.position))
    }

    /// The audio has ended. Returns when everything is reported.
    func finish() {
        handle(cutter.finish())
        strategy.finish(duration: Self.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began(let position): strategy.began(number, at: Self.seconds(position))
            case .heard(let samples): strategy.heard(samples)
            case .paused: strategy.paused()
            case .resumed: strategy.resumed()
            case .ended(let position, let samples):
                let start = Self.seconds(position - Int64(samples.count))
                strategy.ended(Utterance(number: number, start: start, end: Self.seconds(position), samples: samples))
                number += 1
            }
        }
    }

    private static func seconds(_ position: Int64) -> Double { Double(position) / 16_000 }
}

/// Sends the replies of two threads in the order of the speech: the start of an utterance is held back until the one before
/// it is decoded.
final class Outbox: Sendable {
    private struct State {
        /// The number of the next utterance whose final text is sent.
        var next = 0
        /// Utterances that began before their turn.
        var starts: [Int: Double] = [:]
        var progress = 0.0
        var duration: Double?
        /// The last reply was sent.
        var hasFailed = false
    }

    private let isFile: Bool
    private let state = Mutex(State())
    private let write: @Sendable (WorkerReply) -> Void

    /// - Parameters:
    ///   - isFile: progress is reported to the client, with the file's length.
    ///   - write: is called by one thread at a time.
    init(isFile: Bool, write: @escaping @Sendable (WorkerReply) -> Void) {
        self.isFile = isFile
        self.write = write
    }

    /// A decoder has failed. Nothing is sent after this: the texts would miss what was said.
    func failed(_ error: RecognitionError) {
        state.withLock {
            send(.recognized(.failed(error)), $0)
            $0.hasFailed = true
        }
    }

    private func send(_ reply: WorkerReply, _ state: borrowing State) {
        if !state.hasFailed { write(reply) }
    }

    /// - Parameter duration: of the file, if its header states it.
    func opened(duration: Double?) {
        state.withLock {
            $0.duration = duration
            send(.recognized(.progress(seconds: 0, duration: duration)), $0)
        }
    }

    func speechStarted(_ utterance: Int, at time: Double) {
        state.withLock {
            $0.starts[utterance] = time
            if $0.next == utterance { send(.recognized(.speechStarted(at: time)), $0) }
        }
    }

    /// - Parameter partial: of the utterance that is decoded now.
    func partial(_ partial: PartialTranscript) {
        state.withLock { send(.recognized(.partial(partial)), $0) }
    }

    func final(_ utterance: Int, _ understanding: Understanding) {
        state.withLock {
            if let noise = understanding.noise { send(.recognized(.noisy(decibels: noise)), $0) }
            send(.recognized(.final(understanding.transcript)), $0)
            $0.starts[utterance] = nil
            $0.next = utterance + 1
            if let start = $0.starts[$0.next] { send(.recognized(.speechStarted(at: start)), $0) }
        }
    }

    /// Sends at most one reply for each second of audio.
    func progress(_ time: Double) {
        state.withLock {
            guard time >= $0.progress + 1 else { return }
            $0.progress = time
            send(isFile ? .recognized(.progress(seconds: time, duration: $0.duration)) : .progress(time), $0)
        }
    }

    func learnt(_ mean: CepstralMean) {
        state.withLock { send(.recognized(.learnt(mean)), $0) }
    }

    func finished(duration: Double) {
        state.withLock { send(.recognized(.finished(duration: duration)), $0) }
    }
}
