/// A prompt that waits for the person, and how many requests wait with it.
struct PendingPrompt {
    let cookie: String
    let question: Question
    let task: Task<AuthorizationOutcome, Never>
    var waiters: Int
}
