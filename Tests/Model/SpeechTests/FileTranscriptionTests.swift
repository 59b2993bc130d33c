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

    /// Opens it, plays the recogniser's part, and runs it to its end.
    private func run(_ pieces: [[UInt8]] = [[1]], _ events: RecognitionEvent...) async throws {
        try await transcription.open(file(pieces))
        for event in events { recognizer.tell(event) }
        try await run()
    }

    private func run() async throws { try await transcription.run { [told] in told.add($0.event) } }

    private func revoke() async throws {
        try await gate.decide(.denied, for: requester.key(for: .speechRecognition), program: nil, by: requester.caller)
    }

    /// An upload that ends with the error, after a piece or after a word.
    private func cut(_ error: any Error, after piece: [UInt8]? = nil, word: String? = nil) async throws {
        let (pieces, sender) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        try await transcription.open(pieces)
        let running = Task { try await run() }
        if let piece { sender.yield(piece) }
        if let word {
            if piece != nil { await notes.has("bytes 1") }
            recognizer.tell(.progress(seconds: 0, duration: 10))
            recognizer.tell(.final(.sample(word)))
            await told.has(.final(.sample(word)))
        }
        sender.finish(throwing: error)
        try await running.value
    }

    @Test("the record comes first, then the file in order, then its words")
    func words() async throws {
        try await transcription.open(file([[1, 2], [3]]))
        #expect(notes.values == ["write sessionStarted", "start"])
        #expect(recognizer.configuration?.input == .file)
        let running = Task { try await run() }
        await notes.has("finish")
        #expect(notes.values.suffix(3) == ["bytes 2", "bytes 1", "finish"])
        for event in [.speechStarted(at: 0), .final(.sample("forward")), .finished(duration: 2)] as [RecognitionEvent] {
            recognizer.tell(event)
        }
        try await running.value
        guard case .started("file-1", nil, let grants) = told.values.first else { throw Torn() }
        #expect(Set(grants.keys) == [.speechRecognition])
        let rest: [DictationEvent] = [
            .final(.sample("forward")), .progress(seconds: 2, duration: 2), .ended(.ended, message: nil),
        ]
        #expect(told.values.dropFirst() == rest[...])
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

    private static let causes: [(UploadError, DictationEnding)] = [
        (.clientStalled, .clientStalled), (.clientGone, .disconnected),
    ]

    @Test("an upload that is cut before any word drops the audio, and is the error of its cause, also in the record")
    func cutAtOnce() async throws {
        for (cause, ending) in Self.causes + [(nil, .failed)] as [(UploadError?, DictationEnding)] {
            let test = try await Self()
            if let cause {
                await #expect(throws: cause) { try await test.cut(cause, after: [1]) }
            } else {
                await #expect(throws: Torn.self) { try await test.cut(Torn(), after: [1]) }
            }
            #expect(
                test.notes.values == ["write sessionStarted", "start", "bytes 1", "cancel", "write sessionStopped"])
            #expect(test.told.values.isEmpty)
            #expect(test.ledger.outcomes.first?.reason == ending.rawValue)
        }
    }

    @Test("words are emitted during the upload, and an upload that aborts later ends the session as failed")
    func tornLater() async throws {
        try await cut(Torn(), after: [1], word: "forward")
        #expect(told.values.contains(.progress(seconds: 0, duration: 10)))
        #expect(told.values.last == .ended(.failed, message: "Torn()"))
        #expect(!notes.values.contains("finish"))
    }

    @Test("an upload that is cut later ends with its cause, also if its connection is closed too", arguments: causes)
    func cutLater(_ cause: UploadError, _ ending: DictationEnding) async throws {
        try await cut(cause, word: "forward")
        transcription.abandon(.disconnected)
        #expect(told.values.last == .ended(ending, message: cause.message))
        #expect(ledger.outcomes.first?.reason == ending.rawValue)
        #expect(!notes.values.contains("finish"), "the file did not come whole")
    }

    @Test("a file that cannot be read to its end ends as incomplete, with its text and the reason")
    func incomplete() async throws {
        try await run(
            [[1]], .progress(seconds: 0, duration: 10), .final(.sample("forward")), .incomplete("It is cut off."),
            .finished(duration: 4))
        #expect(told.values.contains(.final(.sample("forward"))))
        #expect(told.values.last == .ended(.incomplete, message: "It is cut off."))
        #expect(ledger.outcomes.first?.reason == "incomplete")
    }

    @Test("a recogniser that does not read is named as the service's fault, with the failure recorded")
    func notRead() async throws {
        let failure = RecognitionError(code: .workerHung, message: "It did not answer.")
        try await run([[1]], .progress(seconds: 0, duration: 10), .failed(failure))
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
        await #expect(throws: failure) { try await run([[1]], .failed(failure)) }
        #expect(told.values.isEmpty)
        #expect(ledger.eventNames == ["sessionStarted", "sessionStopped"])
        #expect(ledger.outcomes.first?.reason == "failed")
    }

    @Test("a recogniser that dies after some words ends the session as failed, reported and recorded")
    func recognizerDies() async throws {
        let failure = RecognitionError(code: .workerDied, message: "It died.")
        try await run([[1]], .final(.sample("forward")), .failed(failure))
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
