import Foundation

extension RunningProgram {
    /// Answers the prompt that is shown with a key, and waits until `outcome` was shown again.
    ///
    /// Keys in a prompt's first moments do not count, so one is pressed after them, and again only when it had no effect
    /// for so long that it surely did not count: a key that is under way when the answer is taken would reach the next
    /// prompt.
    public func press(_ key: String, until outcome: String) async throws {
        let earlier = count(of: outcome)
        let pressing = Task {
            try await Task.sleep(for: .milliseconds(700))
            while !Task.isCancelled {
                try type(key)
                try await Task.sleep(for: .seconds(5))
            }
        }
        defer { pressing.cancel() }
        try await shows(outcome, times: earlier + 1)
        pressing.cancel()
        _ = await pressing.result
    }

    /// The lines without what makes them bold, and without what keeps the terminal from breaking them.
    public var plainLines: [String] { lines.map { $0.replacing(/\u{1B}\[(1m|0m|\?7l|\?7h)/, with: "") } }
}
