import Speech

/// Checks a worker's replies, the only place that does: `ready` first, monotonic times within the audio, one last event, no more
/// events than the audio can cause, and none that the session did not ask for. A worker parses untrusted input and is not trusted
/// itself.
public struct Conversation: Sendable {
    private enum State: Sendable, Hashable {
        case loading, quiet, speaking, ended
    }

    private var state = State.loading
    private var latest = 0.0
    /// Seconds of a file that are done.
    private var done = 0.0
    private var replies = 0
    private var stableWords = StableWords()
    private var hasLearnt = false
    /// The only possible texts; `nil`: any.
    private var phrases: Set<String>?
    private var givesSound = false
    private var isIncomplete = false
    /// Samples of the utterance.
    private var sound = 0
    /// More than the longest utterance, which has 90 s.
    private static let mostSound = 100 * 16_000

    public init() {}

    /// The session begins.
    ///
    /// - Parameter phrases: the only texts that the worker may send; `nil`: any.
    public mutating func begin(_ configuration: RecognitionConfiguration, phrases: [String]?) {
        (givesSound, self.phrases) = (configuration.givesSound, phrases.map(Set.init))
    }

    /// - Parameter sent: seconds of audio that were sent; `nil`: a sound file of unknown length.
    public mutating func check(_ reply: WorkerReply, sent: Double?) throws(ProtocolError) {
        replies += 1
        if let sent, Double(replies) > 200 + 100 * sent {
            throw Self.unexpected("There are more replies than the audio can cause.")
        }
        // The last frame may be longer than the audio.
        let limit = sent.map { $0 + 0.1 } ?? .infinity
        switch (reply, state) {
        case (.ready, .loading): state = .quiet
        case (.recognized(.failed), .loading), (.recognized(.failed), .quiet), (.recognized(.failed), .speaking):
            state = .ended
        case (.progress(let time), .quiet), (.progress(let time), .speaking):
            guard time <= limit else { throw Self.unexpected("The progress is beyond the audio.") }
        case (.recognized(.speechStarted(let time)), .quiet):
            try advance(to: time, limit: limit)
            state = .speaking
            stableWords = StableWords()
            sound = 0
        case (.recognized(.sound(let samples)), .speaking):
            sound += samples.count
            guard sent == nil, givesSound, phrases == nil, sound <= Self.mostSound else {
                throw Self.unexpected("Only files of which it is requested have sound, and an utterance only so much.")
            }
        case (.recognized(.partial(let partial)), .speaking):
            guard phrases == nil else { throw Self.unexpected("Phrases have no partial texts.") }
            try stableWords.check(partial)
        case (.recognized(.learnt), .quiet):
            guard !hasLearnt else { throw Self.unexpected("learnt was sent twice.") }
            hasLearnt = true
        case (.recognized(.final(let transcript)), .speaking):
            if let phrases, !phrases.contains(transcript.text) || !transcript.words.isEmpty {
                throw Self.unexpected("The text is not one of the phrases.")
            }
            try advance(to: transcript.start, limit: limit)
            try advance(to: transcript.end, limit: limit)
            state = .quiet
        case (.recognized(.progress(let seconds, _)), .quiet), (.recognized(.progress(let seconds, _)), .speaking):
            guard sent == nil, seconds >= done else {
                throw Self.unexpected("Only files have progress, and it never decreases.")
            }
            done = seconds
        case (.recognized(.incomplete), .quiet):
            guard sent == nil, !isIncomplete else { throw Self.unexpected("Only files are incomplete, and only once.") }
            isIncomplete = true
        case (.recognized(.finished(let duration)), .quiet):
            try advance(to: duration, limit: limit)
            state = .ended
        default: throw Self.unexpected("The reply does not fit what came before it.")
        }
    }

    private mutating func advance(to time: Double, limit: Double) throws(ProtocolError) {
        // Times are rounded to milliseconds.
        guard time >= latest - 0.002, time <= limit else { throw Self.unexpected("The times do not fit the audio.") }
        latest = max(latest, time)
    }

    private static func unexpected(_ message: String) -> ProtocolError {
        ProtocolError(code: .unexpected, message: message)
    }
}

/// The stable words of the current utterance.
struct StableWords: Sendable {
    private var bytes: [UInt8] = []

    /// - Throws: `unexpected` if the partial changes a stable word, or its stable prefix ends within a word.
    mutating func check(_ partial: PartialTranscript) throws(ProtocolError) {
        let text = Array(partial.text.utf8)
        guard text.starts(with: bytes), partial.stablePrefix >= bytes.count,
            Self.endsWord(text, at: bytes.count), Self.endsWord(text, at: partial.stablePrefix)
        else { throw ProtocolError(code: .unexpected, message: "The partial changes a stable word.") }
        bytes = Array(text[..<partial.stablePrefix])
    }

    private static func endsWord(_ text: [UInt8], at end: Int) -> Bool {
        end == 0 || end == text.count || text[end] == UInt8(ascii: " ")
    }
}
