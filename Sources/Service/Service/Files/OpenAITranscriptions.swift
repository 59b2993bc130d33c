import Hummingbird
import SocketAPI
import Speech

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
        let upload = OpenAIUpload(SoundBody(request.body), boundary: boundary, model: model)
        try await BodyTimeout.reading { try await upload.begin() }
        let phrases = upload.form.phrases
        let events = try await sessions.begin(upload, of: call) { requester in
            var recognition = RecognitionConfiguration(input: .file)
            recognition.userWords = try UserWords(contextPhrases: phrases)
                .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
            return recognition
        }
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
        try await FileSessions.read(first, events, failure: { upload.failure }) { event in
            switch event {
            case .final(let transcript): transcripts.append(transcript)
            case .progress(let seconds, _): duration = max(duration, seconds)
            default: break
            }
        }
        // The field may follow the file.
        guard upload.form.streams else { return try response(to: upload.form, transcripts, duration) }
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
                    transcripts, duration: duration, language: model.name, granularities: form.granularities))
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
                    try await write(OpenAIErrors.answer(to: error).error)
                }
                try await writer.finish(nil)
            })
    }
}
