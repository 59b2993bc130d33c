/// Decides where utterances begin and end from one yes or no for each 10 ms of audio.
///
/// An utterance begins when there was speech for `minimumSpeech`, and reaches back by `preRoll`, so that a soft first
/// sound is not lost. It ends when there was none for `endSilence`; of that silence it keeps `postRoll`. One that is
/// longer than `maximumLength` ends at once and the next begins where it ended. With a `breath`, it is also told when a
/// silence within an utterance has lasted so long, and when speech goes on after it.
public struct Endpointer: Sendable {
    public struct Settings: Sendable, Hashable {
        /// All in frames of 10 ms.
        public var minimumSpeech: Int
        public var preRoll: Int
        public var postRoll: Int
        public var endSilence: Int
        public var maximumLength: Int
        /// Shorter than `endSilence`; `nil`: breaths are not told of.
        public var breath: Int?

        public init(
            minimumSpeech: Int = 8, preRoll: Int = 30, postRoll: Int = 30, endSilence: Int = 80,
            maximumLength: Int = 3_000, breath: Int? = nil
        ) {
            self.minimumSpeech = minimumSpeech
            self.preRoll = preRoll
            self.postRoll = postRoll
            self.endSilence = endSilence
            self.maximumLength = maximumLength
            self.breath = breath
        }

        /// - Parameter endSilence: the pause that ends an utterance, in seconds; brought into 0.2…10.
        public init(pause endSilence: Double) {
            self.init(endSilence: endSilence.isFinite ? Int(min(max(endSilence, 0.2), 10) * 100) : 80)
        }
    }

    /// Frames are counted from the first one, and never overlap from one utterance to the next.
    public enum Event: Sendable, Hashable {
        case began(at: Int)
        /// `at` is the first frame that no longer belongs to the utterance.
        case ended(at: Int)
        /// There was no speech for a breath; `at` is the next frame.
        case paused(at: Int)
        /// `at` is the frame with speech again.
        case resumed(at: Int)
    }

    private enum State: Sendable {
        /// `speech`: frames of speech, less two for each frame without.
        case quiet(speech: Int, since: Int)
        case speaking(began: Int, lastSpeech: Int)
    }

    public let settings: Settings
    private var position = 0
    private var lastEnd = 0
    private var state = State.quiet(speech: 0, since: 0)

    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    public var isSpeaking: Bool { if case .speaking = state { true } else { false } }

    /// The earliest frame that a later utterance can begin at.
    public var earliestNeeded: Int {
        switch state {
        case .quiet(let speech, let since):
            max(lastEnd, (speech > 0 ? since : position) - settings.preRoll)
        case .speaking(let began, _): began
        }
    }

    /// Takes the next frame.
    public mutating func advance(isSpeech: Bool) -> [Event] {
        let frame = position
        position += 1
        switch state {
        case .quiet(let speech, let since):
            guard isSpeech else {
                state = .quiet(speech: max(0, speech - 2), since: since)
                return []
            }
            let first = speech == 0 ? frame : since
            guard speech + 1 >= settings.minimumSpeech else {
                state = .quiet(speech: speech + 1, since: first)
                return []
            }
            let began = max(lastEnd, first - settings.preRoll)
            state = .speaking(began: began, lastSpeech: frame)
            return [.began(at: began)]
        case .speaking(let began, let previous):
            let lastSpeech = isSpeech ? frame : previous
            state = .speaking(began: began, lastSpeech: lastSpeech)
            if frame - lastSpeech >= settings.endSilence {
                return [end(at: min(lastSpeech + 1 + settings.postRoll, position))]
            }
            guard position - began >= settings.maximumLength else {
                return breath(silence: frame - previous, isSpeech: isSpeech)
            }
            let ended = end(at: position)
            state = .speaking(began: position, lastSpeech: frame)
            return [ended, .began(at: position)]
        }
    }

    /// - Parameter silence: frames since the last one with speech.
    private func breath(silence: Int, isSpeech: Bool) -> [Event] {
        guard let breath = settings.breath else { return [] }
        if isSpeech { return silence > breath ? [.resumed(at: position - 1)] : [] }
        return silence == breath ? [.paused(at: position)] : []
    }

    /// No more frames come, or some are missing here: what is being spoken ends.
    public mutating func finish() -> [Event] {
        guard case .speaking(let began, let lastSpeech) = state else {
            state = .quiet(speech: 0, since: position)
            lastEnd = position
            return []
        }
        // After a cut at the maximum length there may be nothing of the next utterance yet.
        return [end(at: max(began, min(lastSpeech + 1 + settings.postRoll, position)))]
    }

    private mutating func end(at frame: Int) -> Event {
        lastEnd = frame
        state = .quiet(speech: 0, since: position)
        return .ended(at: frame)
    }
}
