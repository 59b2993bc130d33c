/// A question that only a person at the terminal can answer with yes.
enum Confirmation {
    /// - Returns: whether they typed `y` or `yes`; anything else, and the end of the input, is a no.
    static func isGiven(_ question: String, _ output: Output) async throws -> Bool {
        output.ask(question + " [y/N] ")
        let answer = try await Blocking.run { readLine() }
        return ["y", "yes"].contains(answer?.lowercased() ?? "")
    }
}
