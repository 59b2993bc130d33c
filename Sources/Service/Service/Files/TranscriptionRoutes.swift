import Authorization
import Hummingbird
import SocketAPI
import Speech

/// `POST /v1/audio/transcriptions`: a sound file to text. A form is OpenAI's call; any other body is the file itself.
struct TranscriptionRoutes {
    let sessions: FileSessions
    let model: ServedModel

    func add(to routes: Routes) {
        routes.on(
            .post, "audio/transcriptions", for: .client,
            errors: { error, request, logger in
                guard Self.isForm(request) else { throw error }
                return try OpenAIErrors.response(to: error, request, logger)
            }, use: transcribe)
    }

    private func transcribe(_ call: Call) async throws -> Response {
        let request = call.request
        if Self.isForm(request) { return try await transcribeForm(call) }
        try FileSessions.checkLength(request.headers[.contentLength])
        let file = SoundBody(request.body)
        let parameters =
            request.headers[.contentType] == TranscriptionRequest.mediaType
            ? try await BodyTimeout.reading {
                try await file.head(TranscriptionRequest.self, limit: TranscriptionRequest.longestLine)
            }
            : TranscriptionRequest()
        // The client already has what begins before this second of the file.
        let latest = RecognitionConfiguration.latestFrom
        let from = try request.parameter("from", "from is a number of seconds from 0 to \(latest).") {
            Double($0).flatMap { (0...Double(latest)).contains($0) ? $0 : nil }
        }
        let events = try await sessions.begin(file, of: call) { requester in
            var recognition = try parameters.recognition(for: requester)
            recognition.from = from ?? 0
            return recognition
        }
        let first = try await FileSessions.first(of: events)
        let isStream = request.headers[.accept]?.contains("application/x-ndjson") ?? false
        return isStream ? Response(first: first, lines: events) : try await reply(first, events)
    }

    private func reply(_ first: TimedDictationEvent, _ events: SessionEvents) async throws -> Response {
        var segments: [Transcript] = []
        try await FileSessions.read(first, events) {
            if case .final(let transcript) = $0 { segments.append(transcript) }
        }
        return try Response(json: TranscriptionReply(segments: segments))
    }
}

extension TranscriptionRequest {
    func recognition(for requester: Requester) throws -> RecognitionConfiguration {
        var recognition = RecognitionConfiguration(input: .file)
        if let taskHint { recognition.endSilence = taskHint.endSilence }
        if let alternatives {
            recognition.alternatives = try RecognitionConfiguration.checked(alternatives: alternatives)
        }
        if let grammar {
            recognition.task = .grammar(try RecognitionConfiguration.checked(grammar: grammar))
        }
        recognition.userWords = try UserWords(contextPhrases: contextPhrases ?? [], text: words ?? "")
            .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        return recognition
    }
}
