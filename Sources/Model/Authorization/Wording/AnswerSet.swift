/// What kind of question a set of answers belongs to, for a prompt that came over the socket.
public enum AnswerSet: Sendable, Hashable {
    /// A first use, or the first since the program changed.
    case firstUse
    /// Keep "while using", or change to "always".
    case upgrade
    /// Keep "always", or not.
    case review
    /// All, for one session.
    case temporary

    public init(_ answers: [Answer]) {
        switch (answers.contains(.always), answers.contains(.deny)) {
        case (true, false): self = .upgrade
        case (true, true): self = .review
        case (false, false): self = .temporary
        case (false, true): self = .firstUse
        }
    }
}
