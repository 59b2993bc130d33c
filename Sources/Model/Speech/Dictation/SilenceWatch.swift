/// Tells when nobody has spoken for a while; armed only after speech began, so that a slow start ends nothing.
struct SilenceWatch {
    private enum State {
        case waitingForSpeech
        case speaking
        case silent(since: Double)
    }

    /// Seconds; `nil`: never.
    let limit: Double?
    private var hasHeardWords = false
    private var state = State.waitingForSpeech
    /// Where listening began again after the last pause; what came before it is no silence.
    private var resumedAt = 0.0
    private var awaitsFirstAudio = false

    init(limit: Double?) { self.limit = limit }

    mutating func speechStarted() { state = .speaking }

    /// An utterance is over. One without words was a noise, and arms nothing.
    mutating func utteranceEnded(at seconds: Double, hasWords: Bool) {
        hasHeardWords = hasHeardWords || hasWords
        state = hasHeardWords ? .silent(since: seconds) : .waitingForSpeech
    }

    /// A pause is over. Time goes on in the audio's count, but nobody could have been heard.
    mutating func listensAgain() { awaitsFirstAudio = true }

    /// - Parameter seconds: audio captured so far.
    mutating func isOver(at seconds: Double) -> Bool {
        if awaitsFirstAudio {
            awaitsFirstAudio = false
            resumedAt = seconds
        }
        guard let limit, case .silent(let since) = state else { return false }
        return seconds - max(since, resumedAt) >= limit
    }
}
