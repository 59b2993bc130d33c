import Speech

/// A line of an enrolment's stream, told apart by `type`.
public enum EnrolmentEvent: Sendable, Hashable {
    /// It listens, or works on recordings: the session's identifier and how many sentences there are.
    case started(session: String, sentences: Int)
    /// This one is to be read now; the first is 1.
    case sentence(number: Int, text: String)
    /// What was understood of the sentence, and what comes of it.
    case heard(number: Int, text: String, outcome: HeardOutcome)
    /// The share of the learning that is done, 0…1. Nothing is listened to any more.
    case learning(share: Double)
    /// What was learnt. `kept`: whether it helps clearly; what does not is thrown away.
    case learnt(VoiceProfileReply, kept: Bool, unused: [Int])
    /// The last one. `message`: what went wrong, and what to do next.
    case ended(DictationEnding, message: String?)

    public enum HeardOutcome: String, Sendable, Codable, Hashable, CaseIterable {
        /// It is the sentence.
        case read
        /// It is something else; the same sentence is to be read again.
        case again
        /// It was something else twice; the sentence is left out.
        case skipped
    }
}
