import Foundation
import Speech

/// Words from audio as it is spoken.
final class LiveSession: Listener {
    /// How long a breath is at least, in frames of 10 ms: long enough that few are within a clause, and so short that what
    /// was said before it is decoded to its end when the utterance's own silence is over.
    private static let breath = 40
    /// Samples of the silence before speech goes on that are decoded with it: 300 ms.
    private static let preRoll = 4_800

    private let decoding: FinalPass
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var suppression = NoiseSuppression()
    private var count = 0
    private var utterance: SpokenUtterance?
    /// Samples of the utterance that came so far.
    private var length = 0
    /// What came since a breath began, of which the end is needed when it is over; `nil`: none is being taken.
    private var silence: [Int16]?

    init(configuration: RecognitionConfiguration, decoding: FinalPass, outbox: Outbox) {
        var settings = Endpointer.Settings(pause: configuration.endSilence)
        settings.breath = min(Self.breath, settings.endSilence / 2)
        self.cutter = UtteranceCutter(settings: settings)
        self.decoding = decoding
        self.outbox = outbox
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(Self.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        if let learnt = decoding.result({ $0.learnt }) { outbox.learnt(learnt) }
        decoding.finish()
        outbox.finished(duration: Self.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began(let position): begin(at: position)
            case .heard(let samples): hear(samples)
            case .paused:
                silence = []
                perform { $0.pause($1) }
            case .resumed: resume()
            case .ended(let position, let samples): end(at: position, samples)
            }
        }
    }

    private func begin(at position: Int64) {
        let start = Self.seconds(position)
        utterance = SpokenUtterance(number: count, start: start, outbox: outbox)
        (length, silence) = (0, nil)
        outbox.speechStarted(count, at: start)
        count += 1
        perform { $0.begin(at: 0, $1) }
    }

    private func hear(_ samples: [Int16]) {
        if length == 0, suppression.isNeeded { perform { utterance, _ in utterance.suppressNoise() } }
        length += samples.count
        if silence != nil {
            silence?.append(contentsOf: samples)
        } else {
            perform { $0.hear(samples, $1) }
        }
    }

    private func resume() {
        let before = Array((silence ?? []).suffix(Self.preRoll))
        silence = nil
        let offset = length - before.count
        perform {
            $0.begin(at: offset, $1)
            $0.hear(before, $1)
        }
    }

    private func end(at position: Int64, _ samples: [Int16]) {
        let end = Self.seconds(position)
        let decibels = NoiseMeter.decibels(of: samples)
        suppression.learn(decibels)
        perform { $0.end(at: end, decibels: decibels, $1) }
        utterance = nil
    }

    private func perform(_ work: @escaping @Sendable (SpokenUtterance, Decoder) -> Void) {
        guard let utterance else { return }
        decoding.perform { work(utterance, $0) }
    }

    static func seconds(_ position: Int64) -> Double { Double(position) / 16_000 }
}

/// Takes samples and tells what they mean.
protocol Listener {
    func take(_ samples: [Int16], at position: Int64)

    /// No more come; returns when all is told.
    func finish()
}

/// Words from audio that is there already: final texts alone.
final class FinalSession: Listener {
    private let finalPass: FinalPass
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var count = 0

    init(configuration: RecognitionConfiguration, finalPass: FinalPass, outbox: Outbox) {
        self.finalPass = finalPass
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(LiveSession.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        finalPass.finish()
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            switch event {
            case .began(let position): outbox.speechStarted(count, at: LiveSession.seconds(position))
            case .heard, .paused, .resumed: break
            case .ended(let position, let samples):
                let start = LiveSession.seconds(position - Int64(samples.count))
                finalPass.decode(Utterance(number: count, start: start, samples: samples), for: outbox)
                count += 1
            }
        }
    }
}

/// A decoder on a thread of its own, so that the audio is listened to while it decodes.
final class FinalPass: Sendable {
    // So many pieces of audio may wait; then the rest does, in the socket, and the service sees that we are behind.
    private let jobs = BlockingQueue<@Sendable (Decoder) -> Void>(capacity: 16)
    private let loaded = BlockingQueue<ModelError?>(capacity: 1)
    private let done = BlockingQueue<Void>(capacity: 1)

    /// Starts loading the model.
    init(model: Model) {
        let thread = Thread { [jobs, loaded, done] in
            do throws(ModelError) {
                let decoder = try Decoder(model: model)
                loaded.put(nil)
                while let job = jobs.take() { job(decoder) }
            } catch {
                loaded.put(error)
            }
            done.close()
        }
        // As much as a main thread has: the library searches its lattices by recursion.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits until the model is loaded.
    func ready() throws(ModelError) {
        if case .some(.some(let error)) = loaded.take() { throw error }
    }

    /// Lets the work be done with the decoder, some time later, in turn.
    func perform(_ work: @escaping @Sendable (Decoder) -> Void) { jobs.put(work) }

    /// Decodes the utterance some time later, in turn, and tells of it.
    func decode(_ utterance: Utterance, for outbox: Outbox) {
        jobs.put { decoder in
            outbox.final(utterance.number, decoder.understanding(of: utterance))
        }
    }

    /// Lets the work be done with the decoder, in turn, and waits for what comes of it.
    func result<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        let result = BlockingQueue<Value?>(capacity: 1)
        jobs.put { result.put(work($0)) }
        return result.take() ?? nil
    }

    /// Waits until all is done.
    func finish() {
        jobs.close()
        _ = done.take()
    }
}
