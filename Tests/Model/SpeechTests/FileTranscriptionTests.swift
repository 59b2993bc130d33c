import Authorization
import Speech
import TestSupport
import Testing

@Suite("A sound file to text", .timeLimit(.minutes(1)))
struct FileTranscriptionTests {
    struct Torn: Error {}

    let requester = Samples.requester()
    let notes = Recorder<String>()
    let told = Recorder<DictationEvent>()
    let ledger: RecordingLedger
    let gate: Gate
    let recognizer: StandInRecognizer
    let transcription: FileTranscription

    init() async throws {
        // The microphone is not allowed: a file does not need it.
        ledger = RecordingLedger(decisions: [SessionBench.yes(requester.key(for: .speechRecognition))])
        gate = try await Gate(ledger: ledger, agent: StandInAgent())
        recognizer = StandInRecognizer(notes: notes)
        transcription = FileTranscription(
            SessionContext(
                identifier: "file-1", requester: requester, gate: gate, ledger: ledger, presence: { .background }),
            recognizer: recognizer)
        ledger.onWrite { [notes] event in notes.add("write \(event.name)") }
    }

    private func file(_ pieces: [[UInt8]], torn: Bool = false) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish(throwing: torn ? Torn() : nil)
        }
    }

    private func run() async throws {
        try await transcription.run { [told] in told.add($0.event) }
    }

    private func revoke() async throws {
        try await gate.decide(
            .denied, for: requester.key(for: .speechRecognition), program: nil, by: requester.caller)
    }

    @Test("the record comes first, then the file in order, then its words")
    func words() async throws {
        try await transcription.open(file([[1, 2], [3]]))
        #expect(notes.values == ["write sessionStarted", "start"])
        #expect(recognizer.configuration?.input == .file)
        let running = Task { try await run() }
        await notes.has("finish")
        #expect(notes.values.suffix(3) == ["bytes 2", "bytes 1", "finish"])
        recognizer.tell(.speechStarted(at: 0))
        recognizer.tell(.final(.sample("forward")))
        recognizer.tell(.finished(duration: 2))
        try await running.value
        #expect(told.values.count == 4)
        guard case .started("file-1", nil, let grants) = told.values.first else {
            Issue.record("the first is not started")
            return
        }
        #expect(Set(grants.keys) == [.speechRecognition])
        #expect(
            told.values.suffix(3) == [
                .final(.sample("forward")), .progress(seconds: 2, duration: 2), .ended(.ended, message: nil),
            ])
        #expect(ledger.outcomes == [SessionOutcome(reason: "ended", frames: 32_000)])
    }

    @Test("nothing reaches the recogniser if the record cannot be written")
    func unwritable() async throws {
        ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await transcription.open(file([[1]])) }
        #expect(notes.values == ["write sessionStarted"])
    }

    @Test("without the permission only the refusal is written")
    func notAllowed() async throws {
        try await revoke()
        await #expect(throws: AuthorizationError.self) { try await transcription.open(file([[1]])) }
        #expect(notes.values == ["write decidedInSettings", "write accessBlocked"])
    }

    @Test("a recogniser that cannot start is in the log")
    func recognizerFails() async throws {
        let failure = RecognitionError(code: .workerUnavailable, message: "None.")
        recognizer.fail(with: failure)
        await #expect(throws: failure) { try await transcription.open(file([[1]])) }
        #expect(ledger.eventNames == ["sessionStarted", "recognizerFailed", "sessionStopped"])
    }

    @Test("an aborted upload drops the audio")
    func torn() async throws {
        try await transcription.open(file([[1]], torn: true))
        await #expect(throws: Torn.self) { try await run() }
        #expect(notes.values == ["write sessionStarted", "start", "bytes 1", "cancel", "write sessionStopped"])
        #expect(told.values.isEmpty)
        #expect(ledger.outcomes.first?.reason == "failed")
    }

    @Test("words are emitted during the upload, and an upload that aborts later ends the session as failed")
    func tornLater() async throws {
        let (pieces, sender) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        try await transcription.open(pieces)
        let running = Task { try await run() }
        sender.yield([1])
        await notes.has("bytes 1")
        recognizer.tell(.progress(seconds: 0, duration: 10))
        recognizer.tell(.final(.sample("forward")))
        await told.has(.final(.sample("forward")))
        #expect(told.values.contains(.progress(seconds: 0, duration: 10)))
        sender.finish(throwing: Torn())
        try await running.value
        #expect(told.values.last == .ended(.failed, message: "Torn()"))
        #expect(!notes.values.contains("finish"))
    }

    private static let causes: [(UploadError, DictationEnding)] = [
        (.clientStalled, .clientStalled), (.clientGone, .disconnected),
    ]

    @Test("an upload that is cut before any word is the error of its cause, also in the record", arguments: causes)
    func cutAtOnce(_ cause: UploadError, _ ending: DictationEnding) async throws {
        let (pieces, sender) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        try await transcription.open(pieces)
        sender.yield([1])
        sender.finish(throwing: cause)
        await #expect(throws: cause) { try await run() }
        #expect(notes.values == ["write sessionStarted", "start", "bytes 1", "cancel", "write sessionStopped"])
        #expect(ledger.outcomes.first?.reason == ending.rawValue)
    }

    @Test("an upload that is cut later ends with its cause, also if its connection is closed too", arguments: causes)
    func cutLater(_ cause: UploadError, _ ending: DictationEnding) async throws {
        let (pieces, sender) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        try await transcription.open(pieces)
        let running = Task { try await run() }
        recognizer.tell(.final(.sample("forward")))
        await told.has(.final(.sample("forward")))
        sender.finish(throwing: cause)
        try await running.value
        transcription.abandon(.disconnected)
        #expect(told.values.last == .ended(ending, message: cause.message))
        #expect(ledger.outcomes.first?.reason == ending.rawValue)
        #expect(!notes.values.contains("finish"), "the file did not come whole")
    }

    @Test("a recogniser that does not read is named as the service's fault, with the failure recorded")
    func notRead() async throws {
        try await transcription.open(file([[1]]))
        let running = Task { try await run() }
        recognizer.tell(.progress(seconds: 0, duration: 10))
        await told.has(.progress(seconds: 0, duration: 10))
        recognizer.tell(.failed(RecognitionError(code: .workerHung, message: "It did not answer.")))
        try await running.value
        #expect(told.values.last == .ended(.serviceStalled, message: "It did not answer."))
        #expect(ledger.outcomes.first?.reason == "serviceStalled")
        #expect(ledger.eventNames.contains("recognizerFailed"))
    }

    @Test("a session that is over is released, and with it its context, which has its client's connection")
    func released() async throws {
        weak var session: FileTranscription?
        do {
            let transcription = FileTranscription(
                SessionContext(
                    identifier: "file-2", requester: requester, gate: gate, ledger: ledger, presence: { .background }),
                recognizer: recognizer)
            session = transcription
            try await transcription.open(file([[1]]))
            let running = Task { try await transcription.run { _ in } }
            await notes.has("finish")
            recognizer.tell(.finished(duration: 1))
            try await running.value
        }
        try await eventually { session == nil }
        #expect(session == nil)
    }

    @Test("an unreadable file is an error, but no failure of the recogniser")
    func badAudio() async throws {
        let failure = RecognitionError(code: .badAudio, message: "It is not a sound file.")
        try await transcription.open(file([[1]]))
        recognizer.tell(.failed(failure))
        await #expect(throws: failure) { try await run() }
        #expect(told.values.isEmpty)
        #expect(ledger.eventNames == ["sessionStarted", "sessionStopped"])
        #expect(ledger.outcomes.first?.reason == "failed")
    }

    @Test("a recogniser that dies after some words ends the session as failed, reported and recorded")
    func recognizerDies() async throws {
        try await transcription.open(file([[1]]))
        recognizer.tell(.final(.sample("forward")))
        recognizer.tell(.failed(RecognitionError(code: .workerDied, message: "It died.")))
        try await run()
        #expect(told.values.last == .ended(.failed, message: "It died."))
        #expect(ledger.eventNames == ["sessionStarted", "recognizerFailed", "sessionStopped"])
    }

    @Test("queued words are not emitted after the permission's end")
    func revoked() async throws {
        try await transcription.open(file([[1]]))
        recognizer.tell(.final(.sample("secret")))
        try await revoke()
        try await run()
        #expect(told.values == [.ended(.revoked, message: nil)])
        #expect(ledger.outcomes.first?.reason == "revoked")
        #expect(notes.values.contains("cancel"))
    }

    @Test("a disconnected client ends it")
    func disconnected() async throws {
        try await transcription.open(file([[1]]))
        recognizer.tell(.final(.sample("forward")))
        let running = Task { try await run() }
        await told.has(.final(.sample("forward")))
        transcription.abandon(.disconnected)
        try await running.value
        #expect(told.values.last == .ended(.disconnected, message: nil))
        #expect(ledger.outcomes.first?.reason == "disconnected")
        #expect(notes.values.filter { $0 == "cancel" }.count == 1)
    }
}
