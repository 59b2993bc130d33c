import Authorization

/// A button of a notification and what it answers.
struct NotificationButton: Sendable, Hashable {
    let reply: PromptReply
    let label: String

    /// What the tool prints when it is pressed.
    var word: String { reply.fidelity == .full ? reply.answer.rawValue : "\(reply.answer.rawValue)-reduced" }

    /// - Parameter offersFidelity: gives each yes a second button, for the client's phrases alone.
    static func buttons(for notice: DisplayedNotice, offersFidelity: Bool) -> [NotificationButton] {
        let (wording, set) = (notice.language.wording, AnswerSet(notice.answers))
        return notice.answers.flatMap { answer in
            let label = wording.name(of: answer, among: set)
            let button = NotificationButton(reply: PromptReply(answer), label: label)
            guard offersFidelity, answer.isYes else { return [button] }
            return [
                button,
                NotificationButton(
                    reply: PromptReply(answer, fidelity: .reduced),
                    label: "\(label) – \(wording.name(of: Fidelity.reduced))"),
            ]
        }
    }
}
