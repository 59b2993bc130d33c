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

    init(limit: Double?) { self.limit = limit }

    mutating func speechStarted() { state = .speaking }

    /// An utterance is over. One without words was a noise, and arms nothing.
    mutating func utteranceEnded(at seconds: Double, hasWords: Bool) {
        hasHeardWords = hasHeardWords || hasWords
        state = hasHeardWords ? .silent(since: seconds) : .waitingForSpeech
    }

    /// - Parameter seconds: audio captured so far.
    func isOver(at seconds: Double) -> Bool {
        guard let limit, case .silent(let since) = state else { return false }
        return seconds - since >= limit
    }
}
