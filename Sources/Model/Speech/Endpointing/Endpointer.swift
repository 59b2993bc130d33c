/// Determines where utterances begin and end, from the detector's finding for each 10 ms of audio.
///
/// An utterance begins after `minimumSpeech` of speech with a voice, or `minimumWhisper` without. It includes `preRoll` before
/// it, for a soft first sound; within the first `settling` all audio from the beginning, because the detector reacts late
/// before it knows the noise. It ends after `endSilence` without speech, of which it includes `postRoll`, or, if it had a
/// voice, after `longestUnvoiced` without: typing is not speech. After `maximumLength` it ends and the next begins at once, with
/// `lookBack` at an earlier pause; after `longLength`, if it is set, already at a breath.
/// With `breath`, events report a silence of this length within an utterance, and the speech after it.
public struct Endpointer: Sendable {
    public struct Settings: Sendable, Hashable {
        /// All in frames of 10 ms.
        public var minimumSpeech = 8
        public var minimumVoice = 5
        public var minimumWhisper = 80
        public var longestUnvoiced = 200
        public var settling = 100
        public var preRoll = 40
        public var postRoll = 45
        public var endSilence = 80
        public var maximumLength = 3_000
        /// With `breath`: how long an utterance may be before a breath ends it, rather than `maximumLength` within a word.
        public var longLength: Int?
        /// An utterance of `maximumLength` ends in the middle of the longest silence of this many last frames; `nil`: at the last
        /// frame, even within a word. The events then go back to frames of earlier events, so it is not for live text.
        public var lookBack: Int?
        /// Shorter than `endSilence`; `nil`: breaths are not reported.
        public var breath: Int?

        public init() {}

        /// - Parameter endSilence: the pause that ends an utterance, in seconds; clamped to 0.2…10.
        public init(pause endSilence: Double) {
            if endSilence.isFinite { self.endSilence = Int(min(max(endSilence, 0.2), 10) * 100) }
        }
    }

    /// Frames count from the first one. Utterances never overlap.
    public enum Event: Sendable, Hashable {
        case began(at: Int)
        /// `at` is the first frame after the utterance.
        case ended(at: Int)
        /// A breath without speech; `at` is the next frame.
        case paused(at: Int)
        /// `at` is the next frame with speech.
        case resumed(at: Int)
    }

    private enum State: Sendable {
        /// `speech`: frames of speech, minus two for each frame without. `voice`: frames with a voice from `since` on.
        case quiet(speech: Int, voice: Int, since: Int)
        /// `lastVoice`: `nil` if the utterance began without a voice.
        case speaking(began: Int, lastSpeech: Int, lastVoice: Int?)
    }

    public let settings: Settings
    private var position = 0
    private var lastEnd = 0
    private var state = State.quiet(speech: 0, voice: 0, since: 0)
    /// Of the silences within the utterance where `lookBack` may end it, the longest.
    private var longestSilence: Range<Int>?

    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    public var isSpeaking: Bool { if case .speaking = state { true } else { false } }

    /// The earliest frame at which a later utterance can begin.
    public var earliestNeeded: Int {
        switch state {
        case .quiet(let speech, _, let since): begin(at: speech > 0 ? since : position)
        case .speaking(let began, _, _): began
        }
    }

    public mutating func advance(_ finding: VoiceActivityDetector.Finding) -> [Event] {
        let frame = position
        position += 1
        switch state {
        case .quiet(let speech, let voice, let since):
            return wait(finding, at: frame, speech: speech, voice: voice, since: since)
        case .speaking(let began, let lastSpeech, let lastVoice):
            if finding.isSpeech, lastSpeech + 1 < frame { note(silence: lastSpeech + 1..<frame, began: began) }
            let events = listen(
                at: frame, began: began,
                lastSpeech: finding.isSpeech ? max(lastSpeech, frame + finding.drowned) : lastSpeech,
                lastVoice: finding.isVoiced ? frame : lastVoice)
            return events.isEmpty ? breath(silence: frame - lastSpeech, isSpeech: finding.isSpeech) : events
        }
    }

    private mutating func wait(
        _ finding: VoiceActivityDetector.Finding, at frame: Int, speech: Int, voice: Int, since: Int
    ) -> [Event] {
        guard finding.isSpeech else {
            state = .quiet(speech: max(0, speech - 2), voice: voice, since: since)
            return []
        }
        let first = speech == 0 ? frame : since
        let voice = (speech == 0 ? 0 : voice) + (finding.isVoiced ? 1 : 0)
        let isVoiced = voice >= settings.minimumVoice
        guard speech + 1 >= (isVoiced ? settings.minimumSpeech : settings.minimumWhisper) else {
            state = .quiet(speech: speech + 1, voice: voice, since: first)
            return []
        }
        let began = begin(at: first)
        state = .speaking(began: began, lastSpeech: frame + finding.drowned, lastVoice: isVoiced ? frame : nil)
        return [.began(at: began)]
    }

    private mutating func listen(at frame: Int, began: Int, lastSpeech: Int, lastVoice: Int?) -> [Event] {
        state = .speaking(began: began, lastSpeech: lastSpeech, lastVoice: lastVoice)
        let isLong = settings.longLength.map { position - began >= $0 } ?? false
        let endSilence = isLong ? min(settings.breath ?? settings.endSilence, settings.endSilence) : settings.endSilence
        if frame - lastSpeech >= endSilence {
            return [end(at: min(lastSpeech + 1 + settings.postRoll, position))]
        }
        if let lastVoice, frame - lastVoice >= settings.longestUnvoiced {
            return [end(at: min(lastVoice + 1 + settings.longestUnvoiced / 2, position))]
        }
        guard position - began >= settings.maximumLength else { return [] }
        let place = longestSilence.map { ($0.lowerBound + $0.upperBound) / 2 } ?? position
        let ended = end(at: place)
        state = .speaking(began: place, lastSpeech: frame, lastVoice: lastVoice.map { _ in frame })
        return [ended, .began(at: place)]
    }

    private mutating func note(silence: Range<Int>, began: Int) {
        guard let lookBack = settings.lookBack, silence.lowerBound >= began + settings.maximumLength - lookBack,
            silence.count >= longestSilence?.count ?? 0
        else { return }
        longestSilence = silence
    }

    /// - Parameter silence: frames since the last one with speech.
    private func breath(silence: Int, isSpeech: Bool) -> [Event] {
        guard let breath = settings.breath else { return [] }
        if isSpeech { return silence > breath ? [.resumed(at: position - 1)] : [] }
        return silence == breath ? [.paused(at: position)] : []
    }

    /// Ends the current utterance: at the end of the audio, or at a gap.
    public mutating func finish() -> [Event] {
        guard case .speaking(let began, let lastSpeech, _) = state else {
            state = .quiet(speech: 0, voice: 0, since: position)
            lastEnd = position
            return []
        }
        // After the maximum length the next utterance may be empty yet.
        return [end(at: max(began, min(lastSpeech + 1 + settings.postRoll, position)))]
    }

    private func begin(at first: Int) -> Int {
        max(lastEnd, first < settings.settling ? 0 : first - settings.preRoll)
    }

    private mutating func end(at frame: Int) -> Event {
        lastEnd = frame
        longestSilence = nil
        state = .quiet(speech: 0, voice: 0, since: position)
        return .ended(at: frame)
    }
}
