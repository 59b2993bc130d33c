import RecognizerProtocol
import Speech

/// What a session does with the utterances of its audio. Times are seconds of audio since the session's first sample.
public protocol UtteranceStrategy: AnyObject {
    var outbox: Outbox { get }

    /// Frames of 10 ms of silence after which `paused` is called; `nil`: never.
    var breath: Int? { get }

    /// Frames after which a breath ends an utterance; `nil`: only its own silence, or its greatest length.
    var longLength: Int? { get }

    /// Frames after which an utterance ends at the latest; `nil`: those of `Endpointer.Settings`.
    var maximumLength: Int? { get }

    /// Of how many last frames it then ends in the longest silence; `nil`: at its last frame. Not for live text.
    var lookBack: Int? { get }

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
    public var breath: Int? { nil }
    public var longLength: Int? { nil }
    public var maximumLength: Int? { nil }
    public var lookBack: Int? { nil }

    public func began(_ number: Int, at start: Double) {}
    public func heard(_ samples: [Int16]) {}
    public func paused() {}
    public func resumed() {}

    public func advanced(to seconds: Double) { outbox.progress(seconds) }

    public func finish(duration: Double) { outbox.finished(duration: duration) }
}

/// Cuts a session's audio into utterances and passes them to a strategy.
public final class UtteranceSession {
    let strategy: any UtteranceStrategy
    private var cutter: UtteranceCutter
    private var number = 0

    public init(
        _ configuration: RecognitionConfiguration, _ strategy: any UtteranceStrategy,
        detector: any SpeechDetector = VoiceActivityDetector()
    ) {
        var settings = Endpointer.Settings(pause: configuration.endSilence)
        if let breath = strategy.breath { settings.breath = min(breath, settings.endSilence / 2) }
        settings.longLength = strategy.longLength
        if let length = strategy.maximumLength { settings.maximumLength = length }
        settings.lookBack = strategy.lookBack
        self.cutter = UtteranceCutter(settings: settings, detector: detector)
        self.strategy = strategy
    }

    public func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        strategy.advanced(to: Self.seconds(cutter.position))
    }

    /// The audio has ended. Returns when everything is reported.
    public func finish() {
        handle(cutter.finish())
        strategy.finish(duration: Self.seconds(cutter.position))
    }

    /// Takes what the service sends of a live session, to its end or until the socket is closed.
    public func takeAudio(from connection: ServiceConnection) throws {
        while let request = try connection.next() {
            switch request {
            case .audio(let samples, let position): take(samples, at: position)
            case .finish: return finish()
            case .start, .file: throw RecognitionError.outOfOrder
            }
        }
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
