import SocketAPI
import Speech
import VoiceGateClient

/// Finds the dictation that a person means, and steers it.
struct RunningDictation: Sendable {
    /// Seconds that one may take to begin, the time to answer a question among them.
    private static let mostWait = 120

    let client: VoiceGateClient

    /// The newest that was not told to end; `nil` where there is none, or no service.
    func newest() async throws -> DictationsReply.Session? {
        do {
            return try await client.dictations().sessions.first { !$0.isEnding }
        } catch let error as ClientError where error.code == .notRunning {
            return nil
        }
    }

    /// The same; waits for one that is being begun.
    func begun() async throws -> DictationsReply.Session? {
        for _ in 0..<(Self.mostWait * 20) {
            // Asked first: what was being begun then is in the list now, unless it failed.
            let isBeginning = DictationLock.isHeld
            if let session = try await newest() { return session }
            guard isBeginning else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// - Parameter session: `nil`: the newest.
    /// - Throws: `CommandError` with `noDictation`.
    func control(_ control: SessionControl, session: String?) async throws {
        if let session { return try await client.control(session, control) }
        guard let found = try await begun() else {
            throw CommandError(
                .noDictation, .noInput, "No dictation runs. Begin one: voicegate dictate, or voicegate control begin")
        }
        try await client.control(found.session, control)
    }
}
