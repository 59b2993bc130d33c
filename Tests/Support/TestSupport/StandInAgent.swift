import Authorization
import Synchronization

/// A person in a test: keeps the prompts it was shown and answers when the test says so.
public final class StandInAgent: Agent {
    public struct Gone: Error {}

    private struct State {
        var prompts: [Prompt] = []
        var waiting: [String: CheckedContinuation<AgentReply, any Error>] = [:]
        /// Replies that came before their prompt began to wait.
        var early: [String: Result<AgentReply, any Error>] = [:]
        var automatic: (@Sendable (Prompt) -> Answer?)?
        var withdrawn: [String] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// - Parameter answer: answers each prompt at once; `nil`, or a `nil` answer, waits for `answer(_:to:)`.
    public init(answering answer: (@Sendable (Prompt) -> Answer?)? = nil) {
        state.withLock { $0.automatic = answer }
    }

    public var prompts: [Prompt] { state.withLock { $0.prompts } }
    /// Cookies of the prompts that were withdrawn before they were answered.
    public var withdrawn: [String] { state.withLock { $0.withdrawn } }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let (automatic, observers) = state.withLock { state in
            state.prompts.append(prompt)
            let due = state.observers.filter { $0.count <= state.prompts.count }
            state.observers.removeAll { $0.count <= state.prompts.count }
            return (state.automatic, due)
        }
        for observer in observers { observer.continuation.resume() }
        if let answer = automatic?(prompt) { return AgentReply(answer: answer, indication: .scriptedAgent) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<AgentReply, any Error>? = state.withLock { state in
                    if state.withdrawn.contains(prompt.cookie) { return .failure(CancellationError()) }
                    if let early = state.early.removeValue(forKey: prompt.cookie) { return early }
                    state.waiting[prompt.cookie] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.withdrawn.append(prompt.cookie)
                return state.waiting.removeValue(forKey: prompt.cookie)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Returns when this many prompts have been shown.
    public func hasShown(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.prompts.count >= count { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    public func answer(_ answer: Answer, to prompt: Prompt) {
        reply(.success(AgentReply(answer: answer, indication: .terminal)), to: prompt)
    }

    /// The agent dies instead of answering.
    public func die(at prompt: Prompt) { reply(.failure(Gone()), to: prompt) }

    /// A prompt is in `prompts` before it waits.
    private func reply(_ reply: Result<AgentReply, any Error>, to prompt: Prompt) {
        let continuation = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: prompt.cookie)
            if waiting == nil { state.early[prompt.cookie] = reply }
            return waiting
        }
        continuation?.resume(with: reply)
    }
}
