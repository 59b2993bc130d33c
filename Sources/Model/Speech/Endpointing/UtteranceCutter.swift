/// Divides a stream of samples into utterances. Memory: one utterance and its pre-roll.
public struct UtteranceCutter {
    /// Positions are samples since the session's first.
    public enum Event: Sendable, Hashable {
        case began(at: Int64)
        /// The next samples of the current utterance, possibly with some of the silence after it.
        case heard([Int16])
        /// The whole utterance, without the silence that ended it.
        case ended(at: Int64, samples: [Int16])
        /// Only with the setting `breath`.
        case paused
        case resumed
    }

    private var detector: any SpeechDetector
    private var endpointer: Endpointer
    /// Samples from position `origin` on that may be needed.
    private var kept: [Int16] = []
    private var origin: Int64 = 0
    /// The position of the endpointer's frame 0; moves at a gap.
    private var zero: Int64 = 0
    /// Samples of `kept` that the detector has judged.
    private var judged = 0
    /// Samples of `kept` that were emitted as `heard`.
    private var emitted = 0
    /// The index in `kept` of the utterance's beginning.
    private var began = 0

    public init(settings: Endpointer.Settings, detector: any SpeechDetector = VoiceActivityDetector()) {
        self.detector = detector
        self.endpointer = Endpointer(settings: settings)
    }

    /// The position after the last sample taken.
    public var position: Int64 { origin + Int64(kept.count) }

    /// Samples of a gap that is heard as silence, 50 ms: less than a sound of speech.
    private static let longestBridge = 800

    /// - Parameter start: the position of the samples. A longer gap since the last sample ends the utterance, as does any without
    ///   samples after it.
    public mutating func take(_ samples: some Collection<Int16>, at start: Int64) -> [Event] {
        var events: [Event] = []
        if start > position, start - position <= Self.longestBridge, !samples.isEmpty, !kept.isEmpty {
            kept.append(contentsOf: repeatElement(0, count: Int(start - position)))
        } else if start > position {
            events = finish()
            kept = []
            origin = start
            zero = start
            (judged, emitted) = (0, 0)
            endpointer = Endpointer(settings: endpointer.settings)
        }
        kept.append(contentsOf: samples)
        while kept.count - judged >= VoiceActivityDetector.frameLength {
            let frame = kept[judged..<judged + VoiceActivityDetector.frameLength]
            judged += frame.count
            for event in endpointer.advance(detector.judge(frame)) { handle(event, into: &events) }
        }
        if endpointer.isSpeaking { emit(to: judged, into: &events) }
        drop()
        return events
    }

    public mutating func finish() -> [Event] {
        var events: [Event] = []
        if endpointer.isSpeaking { emit(to: judged, into: &events) }
        for event in endpointer.finish() { handle(event, into: &events) }
        drop()
        return events
    }

    private mutating func handle(_ event: Endpointer.Event, into events: inout [Event]) {
        switch event {
        case .began(let frame):
            began = index(of: frame)
            emitted = began
            events.append(.began(at: origin + Int64(began)))
        case .ended(let frame):
            let end = index(of: frame)
            emit(to: end, into: &events)
            events.append(.ended(at: origin + Int64(end), samples: Array(kept[began..<end])))
        case .paused:
            emit(to: judged, into: &events)
            events.append(.paused)
        case .resumed:
            emit(to: judged, into: &events)
            events.append(.resumed)
        }
    }

    private func index(of frame: Int) -> Int {
        Int(zero + Int64(frame * VoiceActivityDetector.frameLength) - origin)
    }

    private mutating func emit(to end: Int, into events: inout [Event]) {
        guard emitted < end else { return }
        events.append(.heard(Array(kept[emitted..<end])))
        emitted = end
    }

    private mutating func drop() {
        let unneeded = min(index(of: endpointer.earliestNeeded), judged)
        // Not each time: moving the rest costs more than it frees.
        guard unneeded > 16_000 || unneeded == kept.count else { return }
        kept.removeFirst(unneeded)
        origin += Int64(unneeded)
        judged -= unneeded
        emitted = max(0, emitted - unneeded)
        began = max(0, began - unneeded)
    }
}
