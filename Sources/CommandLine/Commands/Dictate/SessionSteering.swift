import Speech
import VoiceGateClient

/// Steers a session by the person's wish, which may come before it has begun.
actor SessionSteering {
    private let client: VoiceGateClient
    private var session: String?
    private var hasAskedToEnd = false
    /// Whether the person holds the key; `nil`: there is none to hold.
    private var wantsToTalk: Bool?

    init(client: VoiceGateClient) { self.client = client }

    func began(_ session: String) async {
        self.session = session
        if wantsToTalk == true { await control(.resume) }
    }

    /// Begins or ends listening in a session that began suspended.
    func talk(_ isTalking: Bool) async {
        guard wantsToTalk ?? false != isTalking else { return }
        wantsToTalk = isTalking
        await control(isTalking ? .resume : .suspend)
    }

    /// - Returns: whether the session was asked to end, and what was heard is still to come.
    func endOrCancel() async -> Bool {
        guard let session, !hasAskedToEnd else {
            // Closing the connection has the same effect where this does not get through.
            await control(.cancel)
            return false
        }
        hasAskedToEnd = true
        do {
            try await client.control(session, .end)
            return true
        } catch let error as ClientError where error.code == .refused {
            // It has ended by itself; its last events are on their way.
            return true
        } catch {
            return false
        }
    }

    /// One that has ended meanwhile needs no steering.
    private func control(_ control: SessionControl) async {
        if let session { try? await client.control(session, control) }
    }
}
