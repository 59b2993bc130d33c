/// What the person is asked.
public enum Question: Sendable, Hashable {
    /// The first use of a resource. Always is not among the answers: it is an upgrade.
    case firstUse
    /// The program is not the one that was allowed; `previous` is. A yes is for `current`.
    case identityChanged(previous: AllowedProgram, current: AllowedProgram)
    /// Whether a yes while using is to be one for always. Put once, at a quiet moment.
    case upgradeToAlways
    /// Whether a yes for always is to stay.
    case review
    /// Full fidelity for one session; `purpose` is the client's text for it.
    case temporaryFullFidelity(purpose: String)

    /// What can be answered, in the order of showing.
    ///
    /// - Parameter onceAtMost: for a program that no manifest speaks for.
    public func answers(onceAtMost: Bool = false) -> [Answer] {
        switch self {
        case .firstUse, .identityChanged: onceAtMost ? [.once, .deny, .later] : [.whileInUse, .once, .deny, .later]
        case .upgradeToAlways: [.whileInUse, .always]
        case .review: [.always, .whileInUse, .deny]
        case .temporaryFullFidelity: [.once, .later]
        }
    }

    /// Whether the answer keeps a yes that is there already, and gives no more than that.
    func isRenewed(by answer: Answer) -> Bool {
        switch self {
        case .review: answer.isYes
        case .upgradeToAlways: answer == .whileInUse
        case .firstUse, .identityChanged, .temporaryFullFidelity: false
        }
    }

    /// Whether the gate puts it by itself when the person is not busy, and no request waits for the answer.
    public var waitsForQuietMoment: Bool {
        switch self {
        case .upgradeToAlways, .review: true
        case .firstUse, .identityChanged, .temporaryFullFidelity: false
        }
    }
}
