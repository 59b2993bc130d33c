import Base
import Foundation

/// The gate's limits, clock and source of identifiers.
public struct GateConfiguration: Sendable {
    /// How long the person has to answer.
    public var answerTimeout: Duration = .seconds(60)
    /// How long a request waits for an agent that can ask the person.
    public var agentTimeout: Duration = .seconds(10)
    /// Prompts of one user that may wait at the same time.
    public var pendingPrompts = 8
    /// Decisions of one user about programs without a manifest, whose names the user chooses. Another one takes the place of
    /// the oldest.
    public var decisionsOfUnregistered = 64
    /// Requests that may wait for one prompt.
    public var waitersForPrompt = 32
    /// Seconds that a client's next prompt waits, by the number of prompts without a decision; the last value applies to all
    /// further ones.
    public var promptDelays: [Int64] = [0, 0, 5, 15, 45, 120, 300, 600]
    /// Refusals of the same kind within this time are counted instead of recorded.
    public var blockedRecordInterval: TimeInterval = 60
    public var expiry = GrantExpiry()
    /// An outside engine is named in every notice, and needs a grant that named it.
    public var engine: SpeechEngine {
        get { currentEngine() }
        set { currentEngine = { newValue } }
    }
    /// The service's own engine can change at any time; an outside engine must not.
    public var currentEngine: @Sendable () -> SpeechEngine = { .ofService }
    /// Named in every notice; a grant that did not name it does not cover it.
    public var collector: RecordCollector?
    /// Milliseconds until the person is asked whether to keep an `always`.
    public var reviewInterval: Int64 = 30 * 86_400_000
    /// Milliseconds out of use after which a grant for one use ends.
    public var onceOutOfUse: Int64 = 10_000
    /// How often a person who is busy with the prompt can extend the time to answer.
    public var longestAttention = 10
    /// The clock. The service sets one that reads the kernel's boot clock too.
    public var now: @Sendable () -> Moment = { Moment(wallAlone: Date()) }
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Makes unreadable what was kept with a permission that was withdrawn or denied.
    public var eraseKept: @Sendable (DecisionKey) async -> Void = { _ in }
    /// Unguessable identifiers of prompts and leases.
    public var newIdentifier: @Sendable () -> String = { UUID().uuidString.lowercased() }

    public init() {}
}
