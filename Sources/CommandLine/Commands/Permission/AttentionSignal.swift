import Synchronization
import VoiceGateClient

/// Tells the service that the person is busy with a prompt; once a second at the most, however many keys are pressed.
final class AttentionSignal: Sendable {
    private let client: VoiceGateClient
    private let cookie: String
    private let last = Mutex(ContinuousClock.Instant?.none)

    init(client: VoiceGateClient, cookie: String) {
        self.client = client
        self.cookie = cookie
    }

    func renew() {
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            if let last, last.duration(to: now) < .seconds(1) { return false }
            last = now
            return true
        }
        guard isDue else { return }
        // Nobody waits for it: should it fail, the prompt ends a little sooner.
        Task { try? await client.attend(prompt: cookie) }
    }
}
