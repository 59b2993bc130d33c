extension Gate {
    /// Why the client's next prompt is not shown yet. What the gate itself asks at a quiet moment is bounded already.
    func refusalOfFlood(_ question: Question, _ resource: Resource, _ requester: Requester) -> AuthorizationError? {
        guard !question.waitsForQuietMoment,
            let seconds = backOff.wait(of: Self.client(of: requester), at: configuration.moment())
        else { return nil }
        return Refusal.tooManyPrompts(resource, requester, seconds: seconds)
    }

    /// Keeps in mind what came of a prompt that was shown.
    func note(_ answer: Answer?, to prompt: Prompt) {
        guard !prompt.question.waitsForQuietMoment else { return }
        backOff.ended(
            answer.flatMap { prompt.answers.contains($0) ? $0 : nil }, of: Self.client(of: prompt.requester),
            at: configuration.moment())
    }

    private static func client(of requester: Requester) -> PromptBackOff.Client {
        PromptBackOff.Client(user: requester.caller.user, client: requester.client.identifier)
    }
}
