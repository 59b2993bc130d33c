import Authorization
import Hummingbird
import Server
import Sessions
import SocketAPI
import Speech

/// `POST /v1/audio/transcriptions`: a sound file to text. A form is OpenAI's call; any other body is the file itself.
/// `GET /v1/models` is for OpenAI's clients.
struct TranscriptionRoutes {
    let sessions: FileSessions
    let models: ServedModels

    func add(to routes: Routes) {
        routes.on(
            .post, "audio/transcriptions", for: .client.streaming,
            errors: { error, request, logger in
                guard Self.isForm(request) else { throw error }
                return try OpenAIErrors.response(to: error, request, logger)
            }, use: transcribe)
        // `/v1/engines` has more, for VoiceGate's own command.
        routes.on(.get, "models", for: .client, errors: OpenAIErrors.response) { _ in
            try Response(json: OpenAIModelList(data: models.all))
        }
        routes.on(.get, "models/:model", for: .client, errors: OpenAIErrors.response) { call in
            let name = try call.parameter("model")
            guard let model = models.model(name) else {
                throw RouteError(.notFound, models.unknown(name), field: "model")
            }
            return try Response(json: model)
        }
    }

    private func transcribe(_ call: Call) async throws -> Response {
        let request = call.request
        if Self.isForm(request) { return try await transcribeForm(call) }
        try FileSessions.checkLength(request.headers[.contentLength])
        let file = SoundBody(request.body)
        let parameters =
            request.headers[.contentType] == TranscriptionRequest.mediaType
            ? try await file.head(TranscriptionRequest.self, limit: TranscriptionRequest.longestLine)
            : TranscriptionRequest()
        // The client already has what begins before this second of the file.
        let latest = RecognitionConfiguration.latestFrom
        let from = try request.parameter("from", "from is a number of seconds from 0 to \(latest).") {
            Double($0).flatMap { (0...Double(latest)).contains($0) ? $0 : nil }
        }
        let language = try request.text("language").flatMap(RecognitionConfiguration.language)
        let events = try await sessions.begin(file, of: call) { requester in
            var recognition = try parameters.recognition(for: requester)
            recognition.from = from ?? 0
            recognition.language = language
            return recognition
        }
        let first = try await FileSessions.first(of: events)
        let isStream = request.headers[.accept]?.contains("application/x-ndjson") ?? false
        return isStream ? Response(first: first, lines: events) : try await reply(first, events)
    }

    private func reply(_ first: TimedDictationEvent, _ events: SessionEvents) async throws -> Response {
        var segments: [Transcript] = []
        var incompleteness: String?
        try await FileSessions.read(first, events) {
            if case .final(let transcript) = $0 { segments.append(transcript) }
            incompleteness = FileSessions.incompleteness($0)
        }
        return try Response(json: TranscriptionReply(segments: segments)).noting(incompleteness)
    }
}

extension Response {
    /// - Parameter incompleteness: why the rest of the file is missing from the text.
    fileprivate func noting(_ incompleteness: String?) -> Response {
        var response = self
        // RFC 9110, 5.5: printable ASCII.
        let letters = incompleteness?.utf8.filter { (0x20..<0x7F).contains($0) }
        if let letters { response.headers[.incomplete] = String(decoding: letters, as: UTF8.self) }
        return response
    }
}

extension TranscriptionRequest {
    func recognition(for requester: Requester) throws -> RecognitionConfiguration {
        var recognition = RecognitionConfiguration(input: .file)
        try recognition.take(
            taskHint, grammar: grammar, alternatives: alternatives, phrases: contextPhrases, words: words)
        recognition.userWords = recognition.userWords.adding(
            contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        return recognition
    }
}

/// OpenAI's transcription call: a form with a sound file to text, in the formats that its clients know.
///
/// The kernel identifies the caller, as everywhere; a key (`Authorization: Bearer …`) is ignored.
extension TranscriptionRoutes {
    static func isForm(_ request: Request) -> Bool {
        request.headers[.contentType].map { MediaType($0)?.value == "multipart/form-data" } ?? false
    }

    func transcribeForm(_ call: Call) async throws -> Response {
        let request = call.request
        guard let boundary = request.headers[.contentType].flatMap({ MediaType($0)?.boundary }) else {
            throw RouteError(.badRequest, "The form's boundary is missing or invalid.")
        }
        try FileSessions.checkLength(request.headers[.contentLength])
        let upload = OpenAIUpload(SoundBody(request.body), boundary: boundary, models: models)
        try await upload.begin()
        let (phrases, language) = (upload.form.phrases, upload.form.language)
        let events = try await sessions.begin(upload, of: call) { requester in
            var recognition = RecognitionConfiguration(input: .file)
            recognition.language = language
            recognition.userWords = try UserWords(contextPhrases: phrases)
                .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
            return recognition
        }
        return try await answer(upload, events)
    }

    private func answer(_ upload: OpenAIUpload, _ events: SessionEvents) async throws -> Response {
        let first = try await FileSessions.first(of: events)
        if upload.form.streams {
            return Response(transcript: { take in
                try await FileSessions.read(first, events, failure: { upload.failure }) {
                    if case .final(let transcript) = $0 { try await take(transcript) }
                }
            })
        }
        var transcripts: [Transcript] = []
        var duration = 0.0
        var incompleteness: String?
        try await FileSessions.read(first, events, failure: { upload.failure }) { event in
            incompleteness = FileSessions.incompleteness(event)
            switch event {
            case .final(let transcript): transcripts.append(transcript)
            case .progress(let seconds, _): duration = max(duration, seconds)
            default: break
            }
        }
        // The field may follow the file.
        guard upload.form.streams else {
            return try response(to: upload.form, transcripts, duration).noting(incompleteness)
        }
        return Response(transcript: { [transcripts] take in for transcript in transcripts { try await take(transcript) }
        })
    }

    private func response(to form: OpenAIForm, _ transcripts: [Transcript], _ duration: Double) throws -> Response {
        let text = TranscriptionReply(segments: transcripts).text
        return switch form.format {
        case .json: try Response(json: OpenAITranscription(text: text))
        case .text: Response(bytes: ByteBuffer(string: text + "\n"), type: "text/plain; charset=utf-8")
        case .srt:
            Response(bytes: ByteBuffer(string: SubtitleFormat.srt.file(of: transcripts)), type: "application/x-subrip")
        case .vtt:
            Response(
                bytes: ByteBuffer(string: SubtitleFormat.vtt.file(of: transcripts)), type: "text/vtt; charset=utf-8")
        case .verboseJSON:
            try Response(
                json: OpenAIVerboseTranscription(
                    transcripts, duration: duration, language: models.name(of: form.language),
                    granularities: form.granularities))
        }
    }
}

extension Response {
    /// A transcript as server-sent events (WHATWG HTML, section 9.2), each utterance as soon as it is recognised. After an
    /// error comes an event with an `error` and no `transcript.text.done`, as from OpenAI.
    fileprivate init(
        transcript utterances:
            @escaping @Sendable (
                _ take: (Transcript) async throws -> Void
            ) async throws -> Void
    ) {
        self.init(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // JSON as we write it has no line breaks, so that an event is one line.
                let encoder = JSONCoding.encoder()
                func write(_ value: some Encodable) async throws {
                    let line = Array("data: ".utf8) + (try encoder.encode(value)) + Array("\n\n".utf8)
                    try await writer.write(ByteBuffer(bytes: line))
                }
                var text = ""
                do {
                    try await utterances { transcript in
                        guard !transcript.text.isEmpty else { return }
                        let delta = (text.isEmpty ? "" : " ") + transcript.text
                        text += delta
                        try await write(OpenAITranscriptEvent.delta(delta))
                    }
                    try await write(OpenAITranscriptEvent.done(text))
                } catch  where !(error is CancellationError) {
                    try await write(["error": OpenAIErrors.answer(to: error).error.error])
                }
                try await writer.finish(nil)
            })
    }
}
