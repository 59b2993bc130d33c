import Authorization

/// A button of a notification and what it answers.
struct NotificationButton: Sendable, Hashable {
    let reply: PromptReply
    let label: String

    /// What the tool prints when it is pressed.
    var word: String { reply.fidelity == .full ? reply.answer.rawValue : "\(reply.answer.rawValue)-reduced" }

    /// - Parameter offersFidelity: gives each yes a second button, for the client's phrases alone.
    static func buttons(for answers: [Answer], offersFidelity: Bool) -> [NotificationButton] {
        answers.flatMap { answer in
            let label = PromptText.choices.first { $0.answer == answer }?.name ?? answer.rawValue
            let button = NotificationButton(reply: PromptReply(answer), label: label)
            guard offersFidelity, [.whileInUse, .once, .always].contains(answer) else { return [button] }
            return [
                button,
                NotificationButton(
                    reply: PromptReply(answer, fidelity: .reduced), label: "\(label), only its phrases"),
            ]
        }
    }
}
