import RecognizerProtocol
import RecognizerWorker
import Speech
import Synchronization
import TestSupport
import Testing

@testable import PocketSphinxRecognition

/// PocketSphinx refuses to begin an utterance in the middle of one. Outside of one it would abort, so `Decoder` refuses.
@Suite("A decoder that fails", .timeLimit(.minutes(1)))
struct DecoderFailureTests {
    private static let model = "/usr/share/pocketsphinx/model/en-us"

    private final class Replies: Sendable {
        private let all = Mutex<[WorkerReply]>([])

        var values: [WorkerReply] { all.withLock { $0 } }

        func add(_ reply: WorkerReply) { all.withLock { $0.append(reply) } }
    }

    @Test("reports its first failure, once, and its result is not text")
    func reported() throws {
        let decoder = try Decoder(model: Model(folder: Self.model))
        var failures: [RecognitionError] = []
        decoder.onFailure = { failures.append($0) }
        decoder.begin()
        decoder.end()
        #expect(decoder.failure == nil)
        decoder.feed([Int16](repeating: 0, count: 16_000))
        #expect(failures.map(\.code) == [.decodingFailed])
        decoder.begin()
        #expect(decoder.segments(of: [Int16](repeating: 0, count: 16_000)).isEmpty)
        #expect(failures.count == 1)
        #expect(decoder.failure?.code == .decodingFailed)
    }

    @Test("ends a live session with the error, never with an empty utterance")
    func live() throws {
        let replies = Replies()
        let outbox = Outbox(isFile: false, write: replies.add)
        let decoders = Decoders(model: try Model(folder: Self.model), count: 1, waiting: 16)
        try decoders.ready()
        decoders.prepare { $0.onFailure = outbox.failed }
        let session = UtteranceSession(
            RecognitionConfiguration(), LiveDictation(decoders: decoders, outbox: outbox))
        // The engine is in an utterance already, so that the session's own cannot begin.
        decoders.perform { $0.begin() }
        let speech = try HumanSpeech.samples(HumanSpeech.goForward)
        session.take(speech + [Int16](repeating: 0, count: 32_000), at: 0)
        session.finish()
        guard case .recognized(.failed(let error))? = replies.values.last else {
            Issue.record("no failure: \(replies.values)")
            return
        }
        #expect(error.code == .decodingFailed)
        for reply in replies.values {
            switch reply {
            case .recognized(.final), .recognized(.finished): Issue.record("\(reply)")
            default: break
            }
        }
    }

    @Test("ends a file's session with the error, too")
    func file() throws {
        let replies = Replies()
        let outbox = Outbox(isFile: true, write: replies.add)
        let decoders = Decoders(model: try Model(folder: Self.model), count: 1, waiting: 16)
        try decoders.ready()
        decoders.prepare { $0.onFailure = outbox.failed }
        decoders.perform { $0.begin() }
        let session = UtteranceSession(
            RecognitionConfiguration(input: .file),
            FileDictation(RecognitionConfiguration(input: .file), decoders: decoders, outbox: outbox))
        session.take(try HumanSpeech.samples(HumanSpeech.goForward) + [Int16](repeating: 0, count: 32_000), at: 0)
        session.finish()
        let ends = replies.values.filter {
            switch $0 {
            case .recognized(.final), .recognized(.finished), .recognized(.failed): true
            default: false
            }
        }
        guard ends.count == 1, case .recognized(.failed(let error)) = ends[0] else {
            Issue.record("\(ends)")
            return
        }
        #expect(error.code == .decodingFailed)
    }
}
