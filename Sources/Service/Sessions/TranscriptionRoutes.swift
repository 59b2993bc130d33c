import Authorization
import Dictation
import Foundation
import Hummingbird
import Recognition
import SocketAPI

/// `POST /v1/audio/transcriptions`: a sound file to text. Needs speech recognition only.
struct TranscriptionRoutes {
    let clients: ClientResolver
    let sessions: FileSessions

    /// A day of music as it is on a CD: a file without an end must come to one. It is worked on as it comes, so its size
    /// costs no memory.
    static let largestFile = 16 << 30
    func add(to group: RouterGroup<ServiceContext>) {
        group.post("audio/transcriptions", use: transcribe)
    }

    private func transcribe(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestFile {
            throw RouteError(.tooLarge, "A sound file may have at most \(Self.largestFile >> 30) GB; send it in parts.")
        }
        let file = HeadedBody(BoundedBody(body: request.body, limit: Self.largestFile))
        let told =
            request.headers[.contentType] == TranscriptionRequest.mediaType
            ? try await file.head(TranscriptionRequest.self, limit: TranscriptionRequest.longestLine)
            : TranscriptionRequest()
        let (connection, requester) = try await clients.requester(of: context)
        var recognition = try told.recognition(for: requester)
        recognition.from = try Self.from(request)
        let events = try await sessions.begin(file, recognition, for: requester, on: connection)
        // The first event is waited for before the status goes out: a file that cannot be read is an error, no stream.
        guard let first = try await events.makeAsyncIterator().next() else {
            throw RouteError(.recognizerUnavailable, "The transcription ended before it began.")
        }
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
        try FileSessions.check(first)
        for try await event in events {
            try FileSessions.check(event)
            if case .final(let transcript) = event.event { segments.append(transcript) }
        }
        return try Response(json: TranscriptionReply(segments: segments))
    }
}
