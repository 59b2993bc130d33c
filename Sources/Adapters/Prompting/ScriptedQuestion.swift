import Authorization

/// A question as a script of answers names it.
enum ScriptedQuestion: String, Sendable, Codable, Hashable, CaseIterable {
    case firstUse, identityChanged, upgradeToAlways, review, temporaryFullFidelity

    init(_ question: Question) {
        switch question {
        case .firstUse: self = .firstUse
        case .identityChanged: self = .identityChanged
        case .upgradeToAlways: self = .upgradeToAlways
        case .review: self = .review
        case .temporaryFullFidelity: self = .temporaryFullFidelity
        }
    }

    /// What can be answered to it at the most.
    var answers: [Answer] {
        switch self {
        case .firstUse, .identityChanged: Question.firstUse.answers()
        case .upgradeToAlways: Question.upgradeToAlways.answers()
        case .review: Question.review.answers()
        case .temporaryFullFidelity: Question.temporaryFullFidelity(purpose: "").answers()
        }
    }
}
