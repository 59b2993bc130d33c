import Base
import RecognizerProtocol
import Server
import Sessions
import SocketAPI
import Speech

/// One connection from its first event to its last: any number of transcriptions, one after the other.
struct WyomingConversation {
    let server: WyomingServer
    let connection: Connection
    let reader: WyomingReader
    let writer: WyomingWriter

    /// Returns when the client has ended the stream, or after an error that was sent to it.
    func run() async {
        do {
            var request = WyomingRequest()
            while let event = try await reader.next() {
                switch event.type {
                case "transcribe": request = try WyomingRequest(event)
                case "audio-start", "audio-chunk":
                    try await transcribe(try await beginning(with: event, &request), request)
                    request = WyomingRequest()
                default: try await answer(event)
                }
            }
        } catch {
            if !(error is Reported) { await writer.fail(error) }
            await reader.drain()
        }
    }

    private struct Reported: Error {}

    /// Answers what a client may ask at any time. Unknown events belong to other kinds of services.
    private func answer(_ event: WyomingEvent) async throws {
        switch event.type {
        case "describe":
            let requester = try await server.clients.requester(on: connection)
            let standing = await server.sessions.runner.gate.status(of: .speechRecognition, for: requester)
            try await writer.write(server.speech.information(client: requester.client.identifier, standing))
        case "ping":
            let text = event.data["text"] ?? .null
            try await writer.write(WyomingEvent(type: "pong", data: text == .null ? [:] : ["text": text]))
        default: break
        }
    }

    /// Reads up to the first samples, whose own format counts: a client may send no `audio-start`, or `transcribe` after it.
    ///
    /// - Returns: `nil` if the recording has no samples.
    private func beginning(
        with first: WyomingEvent, _ request: inout WyomingRequest
    ) async throws -> WyomingSound? {
        var (event, start) = (first, WyomingEvent?.none)
        while true {
            switch event.type {
            case "audio-start":
                guard start == nil else { throw WyomingSound.early(event) }
                _ = try (WyomingFormat(event), server.speech.language(for: request.language))
                start = event
            case "audio-chunk" where !event.payload.isEmpty:
                let format = try WyomingFormat(WyomingFormat.isIn(event) ? event : start ?? event)
                return WyomingSound(reader: reader, format: format, first: event.payload, answer: answer)
            case "audio-stop": return nil
            case "transcribe": request = try WyomingRequest(event)
            case "audio-chunk": break
            default: try await answer(event)
            }
            guard let next = try await reader.next(isAudio: true) else { throw WyomingSound.cutOff }
            event = next
        }
    }

    private func transcribe(_ sound: WyomingSound?, _ request: WyomingRequest) async throws {
        let language = try server.speech.language(for: request.language)
        let requester = try await server.clients.requester(on: connection)
        var recognition = try request.parameters.recognition(for: requester)
        recognition.language = language.language
        // The protocol's names and terms are hints, which its clients send to any engine.
        recognition.required = []
        // Without samples there is nothing to recognise, and so nothing to ask about.
        guard let sound else { return try await writeEnd(of: "", in: language.answer) }
        let events = try await server.sessions.begin(
            sound, recognition, for: requester, on: connection)
        do {
            try await send(events, in: language.answer)
        } catch {
            await writer.fail(sound.failure ?? error)
            // A session reports its end before it stops reading, and two readers at once would end the process; its events
            // end when it has stopped.
            do { for try await _ in events {} } catch {}
            throw Reported()
        }
    }

    private func send(_ events: SessionEvents, in language: [String: WyomingValue]) async throws {
        let start = WyomingEvent(type: "transcript-start", data: language)
        var text = ""
        for try await event in events {
            try FileSessions.check(event)
            guard case .final(let transcript) = event.event, !transcript.text.isEmpty else { continue }
            if text.isEmpty { try await writer.write(start) }
            let addition = (text.isEmpty ? "" : " ") + transcript.text
            text += addition
            try await writer.write(WyomingEvent(type: "transcript-chunk", data: ["text": .string(addition)]))
        }
        try await writeEnd(of: text, in: language)
    }

    private func writeEnd(of text: String, in language: [String: WyomingValue]) async throws {
        if text.isEmpty { try await writer.write(WyomingEvent(type: "transcript-start", data: language)) }
        try await writer.write(
            WyomingEvent(type: "transcript", data: ["text": .string(text)].merging(language) { own, _ in own }),
            WyomingEvent(type: "transcript-stop"))
    }
}

struct WyomingRequest {
    /// `nil`: any.
    var language: String?
    var parameters = TranscriptionRequest()

    init() {}

    /// Other keys, such as the name of a model, belong to other engines.
    init(_ event: WyomingEvent) throws(RouteError) {
        switch event.data["language"] {
        case nil, .null: break
        case .string(let text) where text.utf8.count <= 64: language = text.isEmpty ? nil : text
        default: throw RouteError(.badRequest, "The language of transcribe is a tag such as en or en-US.")
        }
        // Names first: if there are too many terms, errors in names annoy most.
        let terms = try Self.texts(event, "transcript_names") + Self.texts(event, "transcript_terms")
        if !terms.isEmpty { parameters.contextPhrases = terms }
    }

    private static func texts(_ event: WyomingEvent, _ key: String) throws(RouteError) -> [String] {
        let value = event.data[key] ?? .null
        let texts = value == .null ? [] : value.array?.map(\.string)
        guard let texts = texts as? [String] else {
            throw RouteError(.badRequest, "transcript_names and transcript_terms of transcribe are lists of texts.")
        }
        return texts
    }
}

/// The format of the samples of `audio-start` and `audio-chunk`: interleaved, little-endian.
struct WyomingFormat: Equatable {
    /// Frames in a second.
    let rate: Int
    /// Bytes of a sample. One byte is unsigned, as in a WAV file.
    let width: Int
    let channels: Int

    /// - Throws: `RouteError` for what a WAV header cannot express; whether the sound can be decoded is the decoder's decision.
    init(_ event: WyomingEvent) throws(RouteError) {
        guard let rate = event.data["rate"]?.integer, let width = event.data["width"]?.integer,
            let channels = event.data["channels"]?.integer, (1...1_000_000).contains(rate), (1...4).contains(width),
            (1...64).contains(channels)
        else {
            throw RouteError(
                .badAudio,
                "\(event.type) needs the numbers rate (1 to 1000000), width (1 to 4 bytes) and channels (1 to 64).")
        }
        self.rate = rate
        self.width = width
        self.channels = channels
    }

    static func isIn(_ event: WyomingEvent) -> Bool {
        ["rate", "width", "channels"].allSatisfy { event.data[$0]?.integer != nil }
    }

    /// Each chunk repeats the format; it cannot change.
    func check(_ chunk: WyomingEvent) throws(RouteError) {
        let given = ["rate", "width", "channels"].map { chunk.data[$0] ?? .null }
        let expected = [rate, width, channels]
        for (value, number) in zip(given, expected) where value != .null && value.integer != number {
            throw RouteError(.badAudio, "An audio-chunk has a different format than the first one.")
        }
    }

    /// The header of a WAV file of unknown length.
    var header: [UInt8] {
        Array(WaveHeader.bytes(ofData: .max, rate: rate, channels: channels, width: width))
    }
}

/// The audio up to `audio-stop` as a sound file, in pieces as they come.
struct WyomingSound: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let reader: WyomingReader
    let format: WyomingFormat
    /// The samples that were read with the format.
    private(set) var first: [UInt8]
    /// Answers other events that come meanwhile.
    let answer: @Sendable (WyomingEvent) async throws -> Void
    private(set) var hasBegun = false
    private(set) var left = FileSessions.largestFile
    let failed = Latch<any Error>()

    /// What was wrong with the audio; a session reports only that it broke off.
    var failure: (any Error)? { failed.reason }

    func makeAsyncIterator() -> WyomingSound { self }

    /// A header first, then the payloads. Ends with `audio-stop`.
    mutating func next() async throws -> [UInt8]? {
        do {
            return try await piece()
        } catch {
            failed.set(error)
            throw error
        }
    }

    private mutating func piece() async throws -> [UInt8]? {
        guard hasBegun else {
            hasBegun = true
            return format.header
        }
        if !first.isEmpty {
            defer { first = [] }
            left -= first.count
            return first
        }
        while let event = try await reader.next(isAudio: true) {
            switch event.type {
            case "audio-chunk":
                try format.check(event)
                left -= event.payload.count
                guard left >= 0 else { throw FileSessions.tooLarge }
                if !event.payload.isEmpty { return event.payload }
            case "audio-stop": return nil
            case "audio-start", "transcribe": throw Self.early(event)
            default: try await answer(event)
            }
        }
        throw Self.cutOff
    }

    static let cutOff = RouteError(.clientGone, "The stream ended before the audio-stop. Send it again.")

    static func early(_ event: WyomingEvent) -> RouteError {
        RouteError(.badRequest, "\(event.type) came before the audio-stop of the last recording.")
    }
}
