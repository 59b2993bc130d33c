import RecognizerProtocol
import Speech

/// A session with an engine from its greeting to its last event, held against the protocol at each reply.
final class EngineConversation {
    private let engine: EngineProcess
    private var conversation = Conversation()
    private(set) var events: [RecognitionEvent] = []
    private(set) var progress: [Double] = []
    private var sent: Int64 = 0
    private let isFile: Bool
    private let deadline: ContinuousClock.Instant

    /// - Parameter limit: how long each trial may take in all.
    init(_ engine: EngineProcess, isFile: Bool = false, limit: Duration) {
        self.engine = engine
        self.isFile = isFile
        deadline = .now + limit
    }

    func awaitReady() throws(EngineTrialError) {
        guard let reply = try next() else { throw .violation("it ended before it was ready") }
        guard case .ready = reply else { throw .violation("its first word is not ready") }
    }

    func start(_ configuration: RecognitionConfiguration) throws(EngineTrialError) {
        try engine.send(.start(configuration), by: deadline)
    }

    /// Audio in pieces of these lengths, one after the other and from the first again.
    func hear(
        _ samples: [Int16], at position: Int64 = 0, pieces: [Int] = [1_600]
    ) throws(EngineTrialError) {
        var offset = 0
        var turn = 0
        while offset < samples.count {
            let end = min(offset + pieces[turn % pieces.count], samples.count)
            try engine.send(
                .audio(samples: Array(samples[offset..<end]), position: position + Int64(offset)), by: deadline)
            sent = position + Int64(end)
            offset = end
            turn += 1
            while engine.hasReply { guard try next() != nil else { return } }
        }
    }

    func hear(file bytes: [UInt8]) throws(EngineTrialError) {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + WorkerRequest.largestPiece, bytes.count)
            try engine.send(.file(Array(bytes[offset..<end])), by: deadline)
            offset = end
        }
    }

    func finish() throws(EngineTrialError) { try engine.send(.finish, by: deadline) }

    /// Reads to the last event: `finished`, or the error.
    func rest() throws(EngineTrialError) {
        while !isOver { guard try next() != nil else { throw .violation("it ended without a last word") } }
    }

    var finals: [Transcript] { events.compactMap { if case .final(let transcript) = $0 { transcript } else { nil } } }
    var text: String { finals.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }
    var duration: Double? { if case .finished(let duration)? = events.last { duration } else { nil } }
    var failure: RecognitionError? { if case .failed(let error)? = events.last { error } else { nil } }

    private var isOver: Bool { duration != nil || failure != nil }

    private func next() throws(EngineTrialError) -> WorkerReply? {
        guard let reply = try engine.reply(by: deadline) else { return nil }
        do {
            try conversation.check(reply, sent: isFile ? nil : Double(sent) / 16_000)
        } catch {
            throw .violation(error.message)
        }
        switch reply {
        case .ready: break
        case .progress(let seconds): progress.append(seconds)
        case .recognized(let event): events.append(event)
        }
        return reply
    }
}
