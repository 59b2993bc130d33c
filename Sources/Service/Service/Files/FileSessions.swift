import Authorization
import Foundation
import Hummingbird
import NIOCore
import SocketAPI
import Speech

/// Begins transcriptions of sound that clients send, for every door that takes some. Needs speech recognition only.
struct FileSessions: Sendable {
    let clients: ClientResolver
    let gate: Gate
    let ledger: any Ledger
    let recognizer: any Recognizer
    let registry: SessionRegistry
    /// `nil`: nothing is kept, whatever was agreed to.
    let keeper: (any Keeper)?

    /// A day of music as it is on a CD: a file without an end must come to one. It is worked on as it comes, so its size
    /// costs no memory.
    static let largestFile = 16 << 30
    /// Seconds between a word and its reading, after which a client counts as gone. A file can wait for who looks at its text.
    private static let readersPatience = 600.0

    /// Asks the person where nothing is decided yet, writes the session down, and only then reads the sound. The session
    /// ends by itself when its client is gone.
    ///
    /// - Parameters:
    ///   - file: a sound file as it comes.
    ///   - patience: how long nothing may come of it.
    /// - Returns: what the session tells; waits for no reader.
    /// - Throws: `RefusedOutcome`, `RouteError`, and what `FileTranscription.open` throws. Nothing was read then.
    func begin<File: AsyncSequence & Sendable>(
        _ file: File, _ recognition: RecognitionConfiguration, for requester: Requester, on connection: Connection,
        patience: Duration = .seconds(120)
    ) async throws -> SessionEvents where File.Element == [UInt8] {
        let outcome = await gate.request(.speechRecognition, for: requester)
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        let sharing = await ObservedSharing(connection, requester)
        let session = FileTranscription(
            identifier: UUID().uuidString.lowercased(), requester: requester, gate: gate, ledger: ledger,
            recognizer: recognizer, recognition: recognition, keeper: keeper, presence: { connection.presence },
            sharing: sharing, patience: patience)
        try await registry.add(session, device: nil)
        let watch = connection.watch { session.abandon(.disconnected) }
        do {
            try await session.open(file)
        } catch {
            watch.cancel()
            await registry.remove(session, hasListened: false)
            throw error
        }
        let events = SessionEvents(patience: Self.readersPatience, passing: { session.passing($0) }) {
            session.abandon(.disconnected)
        }
        Task {
            do {
                try await session.run { events.send($0) }
                events.finish()
            } catch {
                events.finish(throwing: error)
            }
            watch.cancel()
            if await registry.isStopping { await events.whenRead(within: .seconds(2)) }
            await registry.remove(session)
        }
        return events
    }

    /// The same for a call over HTTP, with its client as it is now.
    ///
    /// - Parameter configure: how the file is recognised for this client.
    func begin<File: AsyncSequence & Sendable>(
        _ file: File, of call: Call, configure: (Requester) throws -> RecognitionConfiguration
    ) async throws -> SessionEvents where File.Element == [UInt8] {
        let requester = try await call.requesterNow()
        return try await begin(file, configure(requester), for: requester, on: call.connection)
    }

    /// The first event, which an answer waits for before its status goes out: a file that cannot be read is an error, no
    /// stream.
    static func first(of events: SessionEvents) async throws -> TimedDictationEvent {
        guard let first = try await events.makeAsyncIterator().next() else {
            throw RouteError(.recognizerUnavailable, "The transcription ended before it began.")
        }
        return first
    }

    /// Reads to the events' end, before an early answer goes out: a session tells of its end before it has stopped reading
    /// the request, and the connection's next reader beside it would end the process.
    static func exhaust(_ events: SessionEvents) async {
        do { for try await _ in events {} } catch {}
    }

    /// - Throws: `RouteError` where the event is an end before the file's.
    static func check(_ event: TimedDictationEvent) throws {
        guard case .ended(let ending, let message) = event.event, ending != .ended else { return }
        switch ending {
        case .revoked, .restricted:
            throw RouteError(.notAllowed, "The permission for speech recognition ended before the file was done.")
        default:
            throw RouteError(.recognizerUnavailable, message ?? "The transcription ended early (\(ending.rawValue)).")
        }
    }

    /// - Throws: `RouteError` for a body that says it is larger than any may be.
    static func checkLength(_ length: String?) throws {
        if let length = length.flatMap({ Int($0) }), length > largestFile {
            throw RouteError(.tooLarge, "A sound file may have at most \(largestFile >> 30) GB; send it in parts.")
        }
    }
}

/// A request's body in pieces, up to a bound.
struct BoundedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let limit: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        var left: Int
        let limit: Int

        mutating func next() async throws -> [UInt8]? {
            guard let buffer = try await body.next() else { return nil }
            left -= buffer.readableBytes
            guard left >= 0 else {
                throw RouteError(.tooLarge, "A sound file may have at most \(limit >> 30) GB; send it in parts.")
            }
            return Array(buffer: buffer)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), left: limit, limit: limit)
    }
}

/// A request's body whose first line is JSON. What follows can be read once.
final class HeadedBody: AsyncSequence, @unchecked Sendable {
    // Safe: handed from the one who reads the line to the one who reads the rest, and never used by two at a time.
    private var iterator: BoundedBody.AsyncIterator
    private var rest: [UInt8] = []

    init(_ body: BoundedBody) {
        iterator = body.makeAsyncIterator()
    }

    /// The first line; to be called once, before anything else is read.
    func head<Value: Decodable>(_ type: Value.Type, limit: Int) async throws -> Value {
        var line: [UInt8] = []
        while let piece = try await read() {
            let end = piece.firstIndex(of: UInt8(ascii: "\n"))
            line += piece[..<(end ?? piece.endIndex)]
            guard line.count <= limit else {
                throw RouteError(.tooLarge, "The line before the sound may have at most \(limit) bytes.")
            }
            if let end {
                rest = Array(piece[(end + 1)...])
                do {
                    return try JSONCoding.decoder().decode(type, from: Data(line))
                } catch {
                    throw RouteError(.badRequest, "The line before the sound is not the JSON that this call takes.")
                }
            }
        }
        throw RouteError(.badRequest, "The body has no line of JSON before the sound.")
    }

    private func read() async throws -> [UInt8]? {
        var reading = iterator
        defer { iterator = reading }
        return try await reading.next()
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        let body: HeadedBody

        func next() async throws -> [UInt8]? {
            guard body.rest.isEmpty else {
                defer { body.rest = [] }
                return body.rest
            }
            return try await body.read()
        }
    }
}
