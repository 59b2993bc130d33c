import Authorization
import Dictation
import Foundation
import Hummingbird
import Recognition
import SocketAPI

/// `POST /v1/audio/transcriptions`: a sound file to text. Needs speech recognition only.
struct TranscriptionRoutes {
    let clients: ClientResolver
    let gate: Gate
    let ledger: any Ledger
    let recognizer: any Recognizer
    let registry: SessionRegistry

    static let largestFile = 256 * 1_048_576

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("audio/transcriptions", use: transcribe)
    }

    private func transcribe(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (connection, requester) = try await clients.requester(of: context)
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestFile {
            throw RouteError(.tooLarge, "A sound file may have at most \(Self.largestFile / 1_048_576) MB.")
        }
        let outcome = await gate.request(.speechRecognition, for: requester)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        try await registry.reserve()
        let session = FileTranscription(
            identifier: UUID().uuidString.lowercased(), requester: requester, gate: gate, ledger: ledger,
            recognizer: recognizer)
        do {
            try await session.open(BoundedBody(body: request.body, limit: Self.largestFile))
        } catch {
            await registry.release()
            throw error
        }
        let (events, continuation) = AsyncThrowingStream.makeStream(of: TimedDictationEvent.self)
        let running = Task {
            do {
                try await session.run { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        connection.onClose { running.cancel() }
        await registry.add(
            session.identifier, requester: requester, device: nil, dictation: nil, task: running)
        let isStream = request.headers[.accept]?.contains("application/x-ndjson") ?? false
        return isStream ? try await stream(events, running) : try await reply(events)
    }

    /// Waits for the first event before the status goes out: a file that cannot be read is an error and no stream.
    private func stream(
        _ events: AsyncThrowingStream<TimedDictationEvent, any Error>, _ running: Task<Void, Never>
    ) async throws -> Response {
        var iterator = events.makeAsyncIterator()
        let first = try await iterator.next()
        let (lines, continuation) = AsyncThrowingStream.makeStream(of: TimedDictationEvent.self)
        if let first { continuation.yield(first) }
        let passing = Task {
            do {
                for try await event in events { continuation.yield(event) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return Response(
            lines: lines,
            ended: {
                passing.cancel()
                running.cancel()
                await running.value
            })
    }

    private func reply(_ events: AsyncThrowingStream<TimedDictationEvent, any Error>) async throws -> Response {
        var segments: [Transcript] = []
        for try await event in events {
            switch event.event {
            case .final(let transcript):
                segments.append(transcript)
            case .ended(let ending, let message) where ending != .ended:
                throw RouteError(.recognizerUnavailable, message ?? "The transcription ended early (\(ending.rawValue)).")
            default:
                break
            }
        }
        return try Response(json: TranscriptionReply(segments: segments))
    }
}
