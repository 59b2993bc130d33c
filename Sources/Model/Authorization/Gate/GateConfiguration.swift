import Foundation

/// What the gate takes from outside, so that tests can set it.
public struct GateConfiguration: Sendable {
    /// How long a person has to answer.
    public var answerTimeout: Duration = .seconds(60)
    /// Prompts of one user that may wait at a time.
    public var pendingPrompts = 8
    /// Requests that may wait for one prompt.
    public var waitersForPrompt = 32
    /// Seconds that a client's next prompt waits after so many without a decision; the last one stands for all beyond.
    public var promptDelays: [Int64] = [0, 0, 5, 15, 45, 120, 300, 600]
    /// Refusals of the same kind within this time are counted and not recorded one by one.
    public var blockedRecordInterval: TimeInterval = 60
    public var expiry = GrantExpiry()
    /// Who recognises speech. One outside of the service is named in every notice, and asked about anew.
    public var engine = SpeechEngine.ofService
    /// How long a yes for always goes without the question whether it is to stay. 30 days.
    public var reviewInterval: Int64 = 30 * 86_400_000
    /// How long the time to answer can be put off by a person who is busy with the prompt, as a multiple of it.
    public var longestAttention = 10
    /// The clock. The service sets one that reads the kernel's boot clock too.
    public var now: @Sendable () -> Moment = { Moment(wallAlone: Date()) }
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Identifiers that nobody can guess: prompts' cookies and leases.
    public var newIdentifier: @Sendable () -> String = { UUID().uuidString.lowercased() }

    public init() {}
}
