import Authorization
import Hummingbird
import SocketAPI
import Speech

/// `POST /v1/audio/transcriptions`: a sound file to text. A form is OpenAI's call; anything else is our own, with the file
/// as the body.
struct TranscriptionRoutes {
    let sessions: FileSessions
    let openAI: OpenAITranscriptions

    func add(to routes: Routes) {
        routes.on(
            .post, "audio/transcriptions", for: .client,
            errors: { error, request, logger in
                guard OpenAITranscriptions.isForm(request) else { throw error }
                return try OpenAIErrors.response(to: error, request, logger)
            }, use: transcribe)
    }

    private func transcribe(_ call: Call) async throws -> Response {
        let request = call.request
        if OpenAITranscriptions.isForm(request) { return try await openAI.transcribe(call) }
        try FileSessions.checkLength(request.headers[.contentLength])
        let file = HeadedBody(BoundedBody(body: request.body, limit: FileSessions.largestFile))
        let told =
            request.headers[.contentType] == TranscriptionRequest.mediaType
            ? try await Patience.reading {
                try await file.head(TranscriptionRequest.self, limit: TranscriptionRequest.longestLine)
            }
            : TranscriptionRequest()
        let from = try Self.from(request)
        let events = try await sessions.begin(file, of: call) { requester in
            var recognition = try told.recognition(for: requester)
            recognition.from = from
            return recognition
        }
        let first = try await FileSessions.first(of: events)
        let isStream = request.headers[.accept]?.contains("application/x-ndjson") ?? false
        return isStream ? Response(first: first, lines: events) : try await reply(first, events)
    }

    /// The parameter `from`: what begins before so many seconds of the file was had already.
    private static func from(_ request: Request) throws -> Double {
        guard let text = request.uri.queryParameters["from"] else { return 0 }
        guard let seconds = Double(text), (0...Double(RecognitionConfiguration.latestFrom)).contains(seconds) else {
            throw RouteError(
                .invalidValue, "from is a number of seconds from 0 to \(RecognitionConfiguration.latestFrom).")
        }
        return seconds
    }

    private func reply(_ first: TimedDictationEvent, _ events: SessionEvents) async throws -> Response {
        var segments: [Transcript] = []
        do {
            try FileSessions.check(first)
            for try await event in events {
                try FileSessions.check(event)
                if case .final(let transcript) = event.event { segments.append(transcript) }
            }
        } catch {
            await FileSessions.exhaust(events)
            throw error
        }
        return try Response(json: TranscriptionReply(segments: segments))
    }
}

extension TranscriptionRequest {
    /// How its file is recognised.
    ///
    /// - Throws: `RouteError`, or `RecognitionError` with `wordsRefused`, for what is out of bounds.
    func recognition(for requester: Requester) throws -> RecognitionConfiguration {
        var recognition = RecognitionConfiguration(input: .file)
        if let taskHint { recognition.endSilence = taskHint.endSilence }
        if let alternatives {
            guard (0...RecognitionConfiguration.mostAlternatives).contains(alternatives) else {
                throw RouteError(
                    .invalidValue, "alternatives is a number from 0 to \(RecognitionConfiguration.mostAlternatives).")
            }
            recognition.alternatives = alternatives
        }
        if let grammar {
            guard grammar.utf8.count <= RecognitionTask.longestGrammar else {
                throw RouteError(
                    .invalidValue, "A grammar may have at most \(RecognitionTask.longestGrammar >> 10) KiB.")
            }
            recognition.task = .grammar(grammar)
        }
        recognition.userWords = try UserWords(contextPhrases: contextPhrases ?? [], text: words ?? "")
            .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        return recognition
    }
}
