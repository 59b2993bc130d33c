/// What one check of `voicegate doctor` came to.
struct Finding: Sendable, Hashable, Codable {
    enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        case well
        /// As it should be, and worth knowing.
        case note
        /// Could not be looked at from here.
        case unknown
        /// The person should do something.
        case attention
    }

    /// A word for programs, such as `policy`.
    let check: String
    let verdict: Verdict
    /// A sentence.
    let message: String
    /// What to do, as a sentence or a command; always there with `attention`.
    let nextStep: String?

    init(_ check: String, _ verdict: Verdict, _ message: String, nextStep: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.message = message
        self.nextStep = nextStep
    }
}
