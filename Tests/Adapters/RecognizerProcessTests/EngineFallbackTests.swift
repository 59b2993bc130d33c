import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("An engine's process that dies in mid-utterance", .timeLimit(.minutes(2)))
struct EngineFallbackTests {
    private static let tool = Checkout.root.appending(path: "Tests/Support/Tools/faulty_engine.py").path

    private func engine(_ body: String, in folder: TemporaryFolder, _ name: String) throws -> RecognizerPool {
        let path = try folder.write("#!/bin/sh\n\(body)\n", to: name, permissions: 0o700)
        var configuration = RecognizerPool.Configuration(executable: path)
        configuration.warmWorkers = 0
        return try RecognizerPool(configuration, logger: PoolFixture.quiet)
    }

    @Test("another process recognises the utterance from the audio that was kept")
    func dies() async throws {
        let folder = try TemporaryFolder()
        let dying = try engine(
            #"printf '{"type":"ready","data":{"name":"Dying"}}\n{"type":"voice-started","data":{"time":0}}\n' | "#
                + #"{ read -r ready; echo "$ready" >&3; head -c 20 <&3 >&2; cat >&3; }; kill -9 $$"#,
            in: folder, "dying")
        let standby = try engine("exec /usr/bin/python3 \(Self.tool) none", in: folder, "standby")
        let grant = SpeechRecognitionGrant(lease: try PoolFixture.lease())
        let session = try await FallbackSession.start(
            RecognitionConfiguration(),
            with: FallbackSession.Side(dying.granted(grant), SpeechEngine(name: "Dying")),
            fallingBackTo: FallbackSession.Side(standby.granted(grant), SpeechEngine(name: "Standby")))
        await session.hear([Int16](repeating: 1_000, count: 16_000))
        await session.finish()
        let events = await session.rest()
        #expect(
            events.map { event in
                switch event {
                case .speechStarted: "started"
                case .fellBack(let fallback): "\(fallback.engine) \(fallback.reason.rawValue)"
                case .engineChanged(let change): "to \(change.to.name ?? "")"
                case .final(let transcript): transcript.text
                case .finished(let duration): "finished \(duration)"
                default: "\(event)"
                }
            } == ["started", "Dying died", "to Standby", "something", "finished 1.0"])
        #expect(await dying.capabilities?.name == "Dying")
        await dying.shutdown()
        await standby.shutdown()
    }
}
