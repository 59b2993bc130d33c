import Authorization
import SocketAPI
import VoiceGateClient

/// Asks for permission, and shows the questions that this brings to the person at this terminal.
struct PromptConversation: Sendable {
    let client: VoiceGateClient
    let output: Output
    /// Shows one question and returns the person's answer; `nil` where there is no terminal to ask at.
    let ask: PromptDesk.Ask?

    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - always: asks for always too, which the person is asked about later.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    func request(_ resource: Resource?, scope: Scope? = nil) async throws {
        try await asking { _ = try await $0.requestAuthorization(resource, scope: scope) }
    }

    func requestTemporaryFullFidelity(purposeKey: String) async throws {
        try await asking { _ = try await $0.requestTemporaryFullFidelity(purposeKey: purposeKey) }
    }

    private func asking(_ request: @escaping @Sendable (VoiceGateClient) async throws -> Void) async throws {
        guard let ask, let prompts = try await openPrompts() else {
            // Another agent of the service may answer.
            return try await request(client)
        }
        let desk = PromptDesk(client: client, output: output, leaving: .later, ask: ask)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
            let (interruptions, isInterrupted) = AsyncThrowingStream.makeStream(of: Never.self)
            group.addTask {
                defer { isListening.finish() }
                try await desk.serve(
                    prompts, onListening: { isListening.yield() },
                    onInterruption: { isInterrupted.finish(throwing: $0) })
                return false
            }
            group.addTask {
                for try await _ in interruptions {}
                return false
            }
            group.addTask {
                // Not before: the service would leave the question to nobody.
                for await _ in listening { break }
                try await request(client)
                return true
            }
            while let isAnswered = try await group.next(), !isAnswered {}
            group.cancelAll()
        }
    }

    /// - Returns: `nil` where the service does not take this process's terminal for one that a person sits at.
    private func openPrompts() async throws -> EventStream<PromptEvent>? {
        do {
            return try await client.prompts()
        } catch let error as ClientError where error.reply?.error.code == ErrorCode.notAllowed.rawValue {
            return nil
        }
    }
}
