import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("An engine's process that dies in mid-utterance", .timeLimit(.minutes(2)))
struct EngineDeathTests {
    private static let tool = Checkout.root.appending(path: "Tests/Support/Tools/faulty_engine.py").path

    @Test("ends the session with its reason after the words so far, and the next session starts it again")
    func dies() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            #"""
            #!/bin/sh
            [ -e "$0.died" ] && exec /usr/bin/python3 \#(Self.tool) none
            : > "$0.died"
            echo '{"type":"ready","data":{"name":"Dying"}}' >&3
            head -c 20 <&3 >/dev/null
            echo '{"type":"voice-started","data":{"time":0}}' >&3
            echo '{"type":"partial","data":{"text":"some","stable_prefix":0}}' >&3
            kill -9 $$
            """#, to: "engine", permissions: 0o700)
        var configuration = RecognizerPool.Configuration(executable: path)
        configuration.warmWorkers = 0
        let pool = try RecognizerPool(configuration, logger: PoolFixture.quiet)
        let grant = SpeechRecognitionGrant(lease: try PoolFixture.lease())

        let dying = try await pool.start(RecognitionConfiguration(), grant: grant)
        let events = await dying.rest()
        #expect(
            events.dropLast() == [.speechStarted(at: 0), .partial(PartialTranscript(text: "some", stablePrefix: 0))])
        #expect(events.failure?.code == .workerDied)
        #expect(events.failure?.message.hasSuffix("Begin a new session.") == true, "\(events)")

        let next = try await pool.start(RecognitionConfiguration(), grant: grant)
        await next.hear([Int16](repeating: 1_000, count: 16_000))
        await next.finish()
        #expect(
            await next.rest().contains { if case .final(let text) = $0 { text.text == "something" } else { false } })
        await pool.shutdown()
    }
}
