import Authorization
import Synchronization

/// A person in a test: keeps the prompts it was shown and answers when the test says so.
public final class StandInAgent: Agent {
    public struct Gone: Error {}

    private struct State {
        var prompts: [Prompt] = []
        var waiting: [String: CheckedContinuation<AgentReply, any Error>] = [:]
        var confirmation: String?
        var automatic: (@Sendable (Prompt) -> Answer?)?
        var withdrawn: [String] = []
        var isAway = false
        var arrivals: [AsyncStream<Void>.Continuation] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// - Returns: those who waited for it.
        mutating func show(_ prompt: Prompt) -> [CheckedContinuation<Void, Never>] {
            prompts.append(prompt)
            let due = observers.filter { $0.count <= prompts.count }
            observers.removeAll { $0.count <= prompts.count }
            return due.map(\.continuation)
        }
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - confirmation: what a password dialog says, in which the user confirms each answer.
    ///   - answer: answers each prompt at once; `nil`, or a `nil` answer, waits for `answer(_:to:)`.
    public init(confirmation: String? = nil, answering answer: (@Sendable (Prompt) -> Answer?)? = nil) {
        state.withLock { ($0.automatic, $0.confirmation) = (answer, confirmation) }
    }

    public var prompts: [Prompt] { state.withLock { $0.prompts } }
    /// Cookies of the prompts that were withdrawn before they were answered.
    public var withdrawn: [String] { state.withLock { $0.withdrawn } }

    public func canAsk(_ prompt: Prompt) async -> Bool { !state.withLock { $0.isAway } }

    public func arrivals() async -> AsyncStream<Void>? {
        let (stream, arrivals) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        arrivals.yield()
        state.withLock { $0.arrivals.append(arrivals) }
        return stream
    }

    /// Leaves, so that nobody can be asked, or comes back.
    public func setAway(_ isAway: Bool) {
        let arrivals = state.withLock { state in
            state.isAway = isAway
            return isAway ? [] : state.arrivals
        }
        for arrival in arrivals { arrival.yield() }
    }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        if let answer = state.withLock({ $0.automatic })?(prompt) {
            for observer in state.withLock({ $0.show(prompt) }) { observer.resume() }
            return AgentReply(
                answer: answer, indication: .scriptedAgent, confirmation: state.withLock { $0.confirmation })
        }
        // It is shown when a withdrawal would be noted and an answer would find it.
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (observers, isWithdrawn) = state.withLock { state in
                    let isWithdrawn = state.withdrawn.contains(prompt.cookie)
                    if !isWithdrawn { state.waiting[prompt.cookie] = continuation }
                    return (state.show(prompt), isWithdrawn)
                }
                if isWithdrawn { continuation.resume(throwing: CancellationError()) }
                for observer in observers { observer.resume() }
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

    private func reply(_ reply: Result<AgentReply, any Error>, to prompt: Prompt) {
        state.withLock { $0.waiting.removeValue(forKey: prompt.cookie) }?.resume(with: reply)
    }
}
