/// The last notice about each client, resource and language.
struct ShownNotices {
    private var last: [ShownNotice.Subject: ShownNotice]

    init(_ notices: [ShownNotice]) {
        last = Dictionary(notices.map { ($0.subject, $0) }) { $1 }
    }

    /// The notice that was shown before, where this one says something else about the client.
    ///
    /// A prompt for full fidelity has a text of its own and is left out.
    func differing(from prompt: Prompt) -> ShownNotice? {
        let shown = ShownNotice(prompt)
        guard !prompt.question.hasOwnText, let before = last[shown.subject],
            before.declaration != shown.declaration || before.clientName != shown.clientName
        else { return nil }
        return before
    }

    mutating func note(_ prompt: Prompt) {
        guard !prompt.question.hasOwnText else { return }
        let shown = ShownNotice(prompt)
        last[shown.subject] = shown
    }
}

extension Question {
    fileprivate var hasOwnText: Bool { if case .temporaryFullFidelity = self { true } else { false } }
}
