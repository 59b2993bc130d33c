import Authorization
import Foundation
import Hummingbird
import Server
import Sessions
import SocketAPI
import Speech

/// Starts transcriptions of sound files, for every interface that takes them. Needs speech recognition only.
package struct FileSessions: Sendable {
    let runner: SessionRunner
    let recognizer: any Recognizer
    /// `nil`: nothing is kept, whatever the user allowed.
    let keeper: (any Keeper)?

    package init(runner: SessionRunner, recognizer: any Recognizer, keeper: (any Keeper)?) {
        (self.runner, self.recognizer, self.keeper) = (runner, recognizer, keeper)
    }

    /// A day of music in CD quality; a file that never ends must fail at some size. The size costs no memory.
    package static let largestFile = 16 << 30
    /// Seconds that an event may stay unread: people may pause while they read a file's text.
    private static let readTimeout = 600.0

    /// Prompts if necessary, records the session, and only then reads the sound. The session ends when its client
    /// disconnects; it does not wait for the reader of its events.
    ///
    /// - Throws: before anything was read.
    func begin<File: AsyncSequence & Sendable>(
        _ file: File, _ recognition: RecognitionConfiguration, for requester: Requester, on connection: Connection
    ) async throws -> SessionEvents where File.Element == [UInt8] {
        try await recognizer.checkLanguage(of: recognition)
        try await runner.gate.request(.speechRecognition, for: requester).check()
        let session = FileTranscription(
            await runner.context(of: requester, on: connection, keeper: keeper), recognizer: recognizer,
            recognition: recognition)
        return try await runner.stream(
            session, device: nil, on: connection, timeout: Self.readTimeout,
            start: { try await session.open(file) }, work: { try await session.run($0) })
    }

    /// The same for a call over HTTP, with its client as it is now.
    func begin<File: AsyncSequence & Sendable>(
        _ file: File, of call: Call, configure: (Requester) throws -> RecognitionConfiguration
    ) async throws -> SessionEvents where File.Element == [UInt8] {
        let requester = try await call.requesterNow()
        return try await begin(file, configure(requester), for: requester, on: call.connection)
    }

    /// The first event. A response waits for it before its status is sent: a file that cannot be read is an error, not a
    /// stream.
    static func first(of events: SessionEvents) async throws -> TimedDictationEvent {
        guard let first = try await events.makeAsyncIterator().next() else {
            throw RouteError(.recognizerUnavailable, "The transcription ended before it began.")
        }
        return first
    }

    /// Passes on the events of a file that is transcribed to its end.
    ///
    /// - Parameter failure: what was wrong with the body; it replaces the error of the session, which is only its result.
    /// - Throws: after all events: a session reports its end before it stops reading the request, and a second reader of
    ///   the connection would end the process.
    static func read(
        _ first: TimedDictationEvent, _ events: SessionEvents, failure: () -> (any Error)? = { nil },
        _ take: (DictationEvent) async throws -> Void
    ) async throws {
        do {
            try check(first)
            try await take(first.event)
            for try await event in events {
                try check(event)
                try await take(event.event)
            }
        } catch {
            do { for try await _ in events {} } catch {}
            throw failure() ?? error
        }
    }

    /// Why the rest of the file is missing, if the event says so.
    static func incompleteness(_ event: DictationEvent) -> String? {
        if case .ended(.incomplete, let message) = event { message } else { nil }
    }

    /// - Throws: `RouteError` if the event is an end before that of what can be read.
    static func check(_ event: TimedDictationEvent) throws {
        guard case .ended(let ending, let message) = event.event, ![.ended, .incomplete].contains(ending)
        else { return }
        switch ending {
        case .revoked, .restricted:
            throw RouteError(.notAllowed, "The permission for speech recognition ended before the file was done.")
        case .muted: throw RouteError(.notAllowed, "Everything was muted before the file was done.")
        case .background:
            throw RouteError(.notAllowed, "The program went into the background before the file was done.")
        case .serviceStopped:
            throw RouteError(.unavailable, message ?? "The service stopped before the file was done. Send it again.")
        case .clientStalled: throw RouteError(.clientStalled, message ?? UploadError.clientStalled.message)
        case .disconnected: throw RouteError(.clientGone, message ?? UploadError.clientGone.message)
        case .serviceStalled:
            throw RouteError(.serviceStalled, message ?? "The service did not read the file in time. Send it again.")
        default:
            throw RouteError(.recognizerUnavailable, message ?? "The transcription ended early (\(ending.rawValue)).")
        }
    }

    static let tooLarge = RouteError(
        .tooLarge, "A sound file may have at most \(largestFile >> 30) GB; send it in parts.")

    static func checkLength(_ length: String?) throws {
        if let length = length.flatMap({ Int($0) }), length > largestFile { throw tooLarge }
    }
}

/// A request's body in pieces, up to a bound. It is read once.
final class SoundBody: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
    // Safe: the reader of the first line passes it to the reader of the rest; never used by two tasks at a time.
    private var iterator: RequestBody.AsyncIterator
    private var left: Int
    /// What follows the first line in the piece that ended it.
    private var rest: [UInt8] = []

    init(_ body: RequestBody, limit: Int = FileSessions.largestFile) {
        iterator = body.makeAsyncIterator()
        left = limit
    }

    func makeAsyncIterator() -> SoundBody { self }

    func next() async throws -> [UInt8]? {
        guard rest.isEmpty else {
            defer { rest = [] }
            return rest
        }
        // Copied out and back: an access must not last over a suspension.
        var reading = iterator
        defer { iterator = reading }
        guard let buffer = try await reading.next() else { return nil }
        left -= buffer.readableBytes
        guard left >= 0 else { throw FileSessions.tooLarge }
        return Array(buffer: buffer)
    }

    /// The first line, as JSON. Call it once, before the rest is read.
    func head<Value: Decodable>(_ type: Value.Type, limit: Int) async throws -> Value {
        var line: [UInt8] = []
        while let piece = try await next() {
            let end = piece.firstIndex(of: UInt8(ascii: "\n"))
            line += piece[..<(end ?? piece.endIndex)]
            guard line.count <= limit else {
                throw RouteError(.tooLarge, "The line before the sound may have at most \(limit) bytes.")
            }
            guard let end else { continue }
            rest = Array(piece[(end + 1)...])
            return try Request.json(type, Data(line))
        }
        throw RouteError(.badRequest, "The body has no line of JSON before the sound.")
    }
}
