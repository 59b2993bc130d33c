import Dictation
import VoiceGateClient

/// Ends a session by the person's wish: politely first.
actor SessionSteering {
    private let client: VoiceGateClient
    private var session: String?
    private var hasAskedToEnd = false

    init(client: VoiceGateClient) { self.client = client }

    func began(_ session: String) { self.session = session }

    /// - Returns: whether the session was asked to end, and what was heard is still to come.
    func endOrCancel() async -> Bool {
        guard let session, !hasAskedToEnd else {
            // Closing the connection has the same effect where this does not get through.
            if let session { try? await client.control(session, .cancel) }
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
}
