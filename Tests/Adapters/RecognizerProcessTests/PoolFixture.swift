import Foundation
import Logging
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

/// A pool of real workers and what tests do with them.
struct PoolFixture {
    /// The worker lies beside the test bundle.
    static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("voicegate-recognizer").path

    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    let pool: RecognizerPool

    init(
        executable: String = PoolFixture.executable, warm: Int = 0,
        modelFolder: String? = RecognizerPool.Configuration.defaultModelFolder, answerTimeout: Duration = .seconds(120),
        fileDecoders: Int = 1, most: Int = 8
    ) throws {
        var configuration = RecognizerPool.Configuration(executable: executable, modelFolder: modelFolder)
        configuration.warmWorkers = warm
        configuration.mostSessions = most
        configuration.startTimeout = .seconds(120)
        configuration.answerTimeout = answerTimeout
        configuration.fileDecoders = fileDecoders
        configuration.fileTimeoutFactor = 1
        configuration.filesGiveWay = false
        self.pool = try RecognizerPool(configuration, logger: Self.quiet)
    }

    static func lease() throws -> Lease {
        Lease(
            identifier: UUID().uuidString,
            key: DecisionKey(
                user: 0, client: try #require(ClientIdentifier(rawValue: "org.example.test")),
                resource: .speechRecognition))
    }

    func start(
        _ input: RecognitionConfiguration.Input = .live, task: RecognitionTask = .dictation, lease: Lease? = nil,
        from: Double = 0
    ) async throws -> any RecognitionSession {
        let lease = try lease ?? Self.lease()
        var configuration = RecognitionConfiguration(task: task, input: input)
        configuration.from = from
        return try await pool.start(configuration, grant: SpeechRecognitionGrant(lease: lease))
    }

    private func start(_ configuration: RecognitionConfiguration) async throws -> any RecognitionSession {
        try await pool.start(configuration, grant: SpeechRecognitionGrant(lease: Self.lease()))
    }

    /// What a session reports of the samples.
    func events(
        _ configuration: RecognitionConfiguration = RecognitionConfiguration(), hearing samples: [Int16],
        pieces: Int = 1_600
    ) async throws -> [RecognitionEvent] {
        let session = try await start(configuration)
        async let heard = session.rest()
        await session.hear(samples, pieces: pieces)
        await session.finish()
        return await heard
    }

    /// What a session reports of the sound file.
    func events(
        _ configuration: RecognitionConfiguration = RecognitionConfiguration(input: .file), reading bytes: [UInt8]
    ) async throws -> [RecognitionEvent] {
        let session = try await start(configuration)
        async let heard = session.rest()
        await session.read(bytes)
        await session.finish()
        return await heard
    }

    /// What a session in a pool made for it reports of the clip, live after half a second of silence, or as a file.
    static func events(_ configuration: RecognitionConfiguration, _ clip: SpeechClip) async throws -> [RecognitionEvent]
    {
        let fixture = try PoolFixture()
        let events =
            switch configuration.input {
            case .live:
                try await fixture.events(configuration, hearing: [Int16](repeating: 0, count: 8_000) + clip.samples())
            case .file: try await fixture.events(configuration, reading: clip.bytes())
            }
        await fixture.pool.shutdown()
        return events
    }

    /// The process of the worker that serves; there must be one.
    func serving() async throws -> pid_t { try #require(await pool.processes(serving: true).first) }
}

extension RecognizerPool {
    func processes(serving: Bool) -> [pid_t] {
        workers.values.compactMap {
            if case .serving = $0.state { serving ? $0.process : nil } else { serving ? nil : $0.process }
        }
    }
}
