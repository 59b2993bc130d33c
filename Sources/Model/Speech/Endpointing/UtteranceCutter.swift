/// Cuts a stream of samples into utterances. Memory: one utterance and its pre-roll.
public struct UtteranceCutter: Sendable {
    /// Positions are samples since the session's first.
    public enum Event: Sendable, Hashable {
        case began(at: Int64)
        /// Samples of the utterance that is being spoken, in order. Some of the silence after it may be among them.
        case heard([Int16])
        /// The utterance as a whole, without the silence that ended it.
        case ended(at: Int64, samples: [Int16])
        /// Whoever speaks takes a breath, or is done; only with the setting `breath`.
        case paused
        /// It was a breath.
        case resumed
    }

    private var detector = VoiceActivityDetector()
    private var endpointer: Endpointer
    /// Samples from position `origin` on, as many as may still be needed.
    private var kept: [Int16] = []
    private var origin: Int64 = 0
    /// Where frame 0 of the endpointer lies; moves when samples are missing.
    private var zero: Int64 = 0
    /// Samples of `kept` that the detector has seen, from the front.
    private var judged = 0
    /// Samples of `kept` that were given out as `heard`.
    private var told = 0
    /// The index in `kept` of the utterance's first sample.
    private var began = 0

    public init(settings: Endpointer.Settings) {
        self.endpointer = Endpointer(settings: settings)
    }

    /// The position after the last sample taken.
    public var position: Int64 { origin + Int64(kept.count) }

    /// Takes samples in order.
    ///
    /// - Parameter start: their position. When it is beyond the last sample, some were lost: the utterance ends there.
    public mutating func take(_ samples: some Collection<Int16>, at start: Int64) -> [Event] {
        var events: [Event] = []
        if start > position {
            events = finish()
            kept = []
            origin = start
            zero = start
            (judged, told) = (0, 0)
            endpointer = Endpointer(settings: endpointer.settings)
        }
        kept.append(contentsOf: samples)
        while kept.count - judged >= VoiceActivityDetector.frameLength {
            let frame = kept[judged..<judged + VoiceActivityDetector.frameLength]
            judged += frame.count
            for event in endpointer.advance(detector.judge(frame)) { handle(event, into: &events) }
        }
        if endpointer.isSpeaking { tell(to: judged, into: &events) }
        drop()
        return events
    }

    /// Ends what is being spoken.
    public mutating func finish() -> [Event] {
        var events: [Event] = []
        if endpointer.isSpeaking { tell(to: judged, into: &events) }
        for event in endpointer.finish() { handle(event, into: &events) }
        drop()
        return events
    }

    private mutating func handle(_ event: Endpointer.Event, into events: inout [Event]) {
        switch event {
        case .began(let frame):
            began = index(of: frame)
            told = began
            events.append(.began(at: origin + Int64(began)))
        case .ended(let frame):
            let end = index(of: frame)
            tell(to: end, into: &events)
            events.append(.ended(at: origin + Int64(end), samples: Array(kept[began..<end])))
        case .paused:
            tell(to: judged, into: &events)
            events.append(.paused)
        case .resumed:
            tell(to: judged, into: &events)
            events.append(.resumed)
        }
    }

    private func index(of frame: Int) -> Int {
        Int(zero + Int64(frame * VoiceActivityDetector.frameLength) - origin)
    }

    private mutating func tell(to end: Int, into events: inout [Event]) {
        guard told < end else { return }
        events.append(.heard(Array(kept[told..<end])))
        told = end
    }

    private mutating func drop() {
        let unneeded = min(index(of: endpointer.earliestNeeded), judged)
        // Now and then is enough, and moving the rest down each time would cost more than it frees.
        guard unneeded > 16_000 || unneeded == kept.count else { return }
        kept.removeFirst(unneeded)
        origin += Int64(unneeded)
        judged -= unneeded
        told = max(0, told - unneeded)
        began = max(0, began - unneeded)
    }
}
