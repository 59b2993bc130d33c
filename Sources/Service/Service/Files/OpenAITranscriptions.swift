import Hummingbird
import SocketAPI
import Speech

/// OpenAI's transcription call: a form with a file to text, in the formats that its clients know.
///
/// Who calls is what the kernel says, as everywhere; a key (`Authorization: Bearer …`) is not looked at.
struct OpenAITranscriptions {
    let sessions: FileSessions
    let model: ServedModel

    /// Whether a request is for OpenAI's call.
    static func isForm(_ request: Request) -> Bool {
        request.headers[.contentType].map { MediaType($0)?.value == "multipart/form-data" } ?? false
    }

    func transcribe(_ call: Call) async throws -> Response {
        let request = call.request
        guard let boundary = request.headers[.contentType].flatMap({ MediaType($0)?.boundary }) else {
            throw RouteError(.badRequest, "The form's boundary is missing, or none that may be.")
        }
        try FileSessions.checkLength(request.headers[.contentLength])
        let upload = OpenAIUpload(
            BoundedBody(body: request.body, limit: FileSessions.largestFile), boundary: boundary, model: model)
        try await Patience.reading { try await upload.begin() }
        let phrases = upload.form.phrases
        let events = try await sessions.begin(upload, of: call) { requester in
            var recognition = RecognitionConfiguration(input: .file)
            recognition.userWords = try UserWords(contextPhrases: phrases)
                .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
            return recognition
        }
        let first = try await FileSessions.first(of: events)
        if upload.form.streams { return Response(transcript: first, events, of: upload) }
        let heard = try await Self.heard(first, events, of: upload)
        return upload.form.streams
            ? Response(transcript: heard.transcripts) : try Self.response(to: upload.form, heard, model)
    }

    private typealias Heard = (transcripts: [Transcript], duration: Double)

    private static func heard(
        _ first: TimedDictationEvent, _ events: SessionEvents, of upload: OpenAIUpload
    ) async throws -> Heard {
        var heard: Heard = ([], 0)
        do {
            try FileSessions.check(first)
            for try await event in events {
                try FileSessions.check(event)
                switch event.event {
                case .final(let transcript): heard.transcripts.append(transcript)
                case .progress(let seconds, _): heard.duration = max(heard.duration, seconds)
                default: break
                }
            }
        } catch {
            await FileSessions.exhaust(events)
            // The end of the session is only what the broken body led to.
            throw upload.failure ?? error
        }
        return heard
    }

    private static func response(to form: OpenAIForm, _ heard: Heard, _ model: ServedModel) throws -> Response {
        let text = TranscriptionReply(segments: heard.transcripts).text
        return switch form.format {
        case .json: try Response(json: OpenAITranscription(text: text))
        case .text: Response(text: text + "\n", type: "text/plain; charset=utf-8")
        case .srt: Response(text: SubtitleFormat.srt.file(of: heard.transcripts), type: "application/x-subrip")
        case .vtt: Response(text: SubtitleFormat.vtt.file(of: heard.transcripts), type: "text/vtt; charset=utf-8")
        case .verboseJSON:
            try Response(
                json: OpenAIVerboseTranscription(
                    heard.transcripts, duration: heard.duration, language: model.name,
                    granularities: form.granularities))
        }
    }
}

extension Response {
    init(text: String, type: String) {
        self.init(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A transcript as server-sent events (WHATWG HTML, section 9.2), each utterance as soon as it is decoded. What ends it
    /// early is told as OpenAI tells it: an event with an `error`, and no `transcript.text.done`.
    ///
    /// - Parameter first: an event that was taken from the others already.
    init(transcript first: TimedDictationEvent, _ events: SessionEvents, of upload: OpenAIUpload) {
        self.init(serverSentEvents: { write in
            var text = OpenAIText()
            do {
                try FileSessions.check(first)
                for try await event in events {
                    try FileSessions.check(event)
                    guard case .final(let transcript) = event.event else { continue }
                    if let delta = text.adding(transcript) { try await write(delta) }
                }
            } catch  where !(error is CancellationError) {
                await FileSessions.exhaust(events)
                return try await write(OpenAIErrors.answer(to: upload.failure ?? error).error)
            }
            try await write(text.done)
        })
    }

    /// The same of a file that was done already.
    init(transcript transcripts: [Transcript]) {
        self.init(serverSentEvents: { write in
            var text = OpenAIText()
            for transcript in transcripts { if let delta = text.adding(transcript) { try await write(delta) } }
            try await write(text.done)
        })
    }

    private init(
        serverSentEvents send:
            @escaping @Sendable (
                _ write: (any Encodable) async throws -> Void
            ) async throws -> Void
    ) {
        self.init(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // JSON has no line's end in it, so that an event is one line.
                let encoder = JSONCoding.encoder()
                try await send { value in
                    let line = Array("data: ".utf8) + (try encoder.encode(value)) + Array("\n\n".utf8)
                    try await writer.write(ByteBuffer(bytes: line))
                }
                try await writer.finish(nil)
            })
    }
}

/// A transcript's text as it grows, in OpenAI's events.
struct OpenAIText {
    private var text = ""

    /// What the utterance adds; `nil` where nothing was said.
    mutating func adding(_ transcript: Transcript) -> OpenAITranscriptEvent? {
        guard !transcript.text.isEmpty else { return nil }
        let delta = (text.isEmpty ? "" : " ") + transcript.text
        text += delta
        return .delta(delta)
    }

    var done: OpenAITranscriptEvent { .done(text) }
}
