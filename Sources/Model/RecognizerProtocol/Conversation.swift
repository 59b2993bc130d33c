import Speech

/// Checks the order of a worker's replies: ready first, times that do not run backwards or beyond the audio, one last event,
/// and not more events than so much audio can give cause for.
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

    public init() {}

    /// - Parameter sent: seconds of audio that the worker was given, or `nil` for a sound file, whose length is not known.
    public mutating func check(_ reply: WorkerReply, sent: Double?) throws(ProtocolError) {
        replies += 1
        if let sent, Double(replies) > 200 + 100 * sent {
            throw Self.unexpected("It talks more than the audio explains.")
        }
        // The last frame may be longer than the audio that fills it.
        let limit = sent.map { $0 + 0.1 } ?? .infinity
        switch (reply, state) {
        case (.ready, .loading): state = .quiet
        case (.recognized(.failed), .loading), (.recognized(.failed), .quiet), (.recognized(.failed), .speaking):
            state = .ended
        case (.progress(let time), .quiet), (.progress(let time), .speaking):
            guard time <= limit else { throw Self.unexpected("It worked on more audio than it was given.") }
        case (.recognized(.speechStarted(let time)), .quiet):
            try advance(to: time, limit: limit)
            state = .speaking
            stableWords = StableWords()
        case (.recognized(.partial(let partial)), .speaking): try stableWords.check(partial)
        case (.recognized(.noisy), .speaking): break
        case (.recognized(.learnt), .quiet):
            guard !hasLearnt else { throw Self.unexpected("It learns once.") }
            hasLearnt = true
        case (.recognized(.final(let transcript)), .speaking):
            try advance(to: transcript.start, limit: limit)
            try advance(to: transcript.end, limit: limit)
            state = .quiet
        case (.recognized(.progress(let seconds, _)), .quiet), (.recognized(.progress(let seconds, _)), .speaking):
            guard sent == nil, seconds >= done else { throw Self.unexpected("Only a file is worked on, and forwards.") }
            done = seconds
        case (.recognized(.finished(let duration)), .quiet):
            try advance(to: duration, limit: limit)
            state = .ended
        default: throw Self.unexpected("The reply does not fit what came before it.")
        }
    }

    private mutating func advance(to time: Double, limit: Double) throws(ProtocolError) {
        // Times are rounded to milliseconds on their way.
        guard time >= latest - 0.002, time <= limit else { throw Self.unexpected("The times do not fit the audio.") }
        latest = max(latest, time)
    }

    private static func unexpected(_ message: String) -> ProtocolError {
        ProtocolError(code: .unexpected, message: message)
    }
}

/// The words that were called stable in the utterance that is being spoken.
struct StableWords: Sendable {
    private var bytes: [UInt8] = []

    /// - Throws: `unexpected` when the partial takes one of them back, or calls half a word stable.
    mutating func check(_ partial: PartialTranscript) throws(ProtocolError) {
        let text = Array(partial.text.utf8)
        guard text.starts(with: bytes), partial.stablePrefix >= bytes.count,
            Self.endsWord(text, at: bytes.count), Self.endsWord(text, at: partial.stablePrefix)
        else { throw ProtocolError(code: .unexpected, message: "It takes back words that it called stable.") }
        bytes = Array(text[..<partial.stablePrefix])
    }

    private static func endsWord(_ text: [UInt8], at end: Int) -> Bool {
        end == 0 || end == text.count || text[end] == UInt8(ascii: " ")
    }
}
