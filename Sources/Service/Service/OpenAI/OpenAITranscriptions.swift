import Hummingbird
import SocketAPI
import Speech

/// OpenAI's transcription call: a form with a file to text, in the formats that its clients know.
///
/// Who calls is what the kernel says, as everywhere; a key (`Authorization: Bearer …`) is not looked at.
struct OpenAITranscriptions {
    let sessions: FileSessions
    let model: ServedModel

    static func isForm(_ type: String) -> Bool { MediaType(type)?.value == "multipart/form-data" }

    func transcribe(_ request: Request, _ context: ServiceContext, type: String) async throws -> Response {
        do {
            return try await answer(request, context, type: type)
        } catch {
            return try OpenAIErrors.response(to: error, context.logger)
        }
    }

    private func answer(_ request: Request, _ context: ServiceContext, type: String) async throws -> Response {
        guard let boundary = MediaType(type)?.boundary else {
            throw RouteError(.badRequest, "The form's boundary is missing, or none that may be.")
        }
        try FileSessions.checkLength(request.headers[.contentLength])
        let upload = OpenAIUpload(
            BoundedBody(body: request.body, limit: FileSessions.largestFile), boundary: boundary, model: model)
        try await Patience.reading { try await upload.begin() }
        let phrases = upload.form.phrases
        let events = try await sessions.begin(upload, of: context) { requester in
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
