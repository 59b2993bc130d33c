import NIOHTTP1
import SocketAPI
import Speech

/// The events of a dictation or of a transcription; the last is `ended`.
public typealias DictationStream = EventStream<TimedDictationEvent>

extension VoiceGateClient {
    /// Listens until the session ends, or until nobody reads its events any more.
    public func dictate(_ request: DictationRequest = DictationRequest()) async throws -> DictationStream {
        try await stream(.POST, "/v1/dictation", request)
    }

    /// Says something to a running session of this process.
    ///
    /// - Parameters:
    ///   - session: its identifier, from the `started` event.
    ///   - control: what is to happen; `end` lets what was heard be decoded, `cancel` throws it away.
    public func control(_ session: String, _ control: SessionControl) async throws {
        try await perform(.POST, "/v1/dictation/\(escaped(session))/\(control.rawValue)")
    }

    /// This program's dictations that run, the newest first.
    public func dictations() async throws -> DictationsReply { try await answer(.GET, "/v1/dictation") }

    /// Turns a sound file into text. Needs speech recognition only.
    ///
    /// - Parameters:
    ///   - file: the file's bytes, which are read as the service takes them.
    ///   - told: what is known of its words.
    ///   - from: utterances that begin before so many seconds of the file are left out; the others come as they would without.
    /// - Throws: `ClientError`, or the error that reading `file` threw.
    public func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, told: TranscriptionRequest = TranscriptionRequest(), from: Double = 0
    ) async throws -> DictationStream where File.Element == [UInt8] {
        let line = told.isEmpty ? [] : [UInt8](try JSONCoding.encoder().encode(told)) + [UInt8(ascii: "\n")]
        let exchange = try await Exchange(socketPath: socketPath)
        let head = head(
            .POST, "/v1/audio/transcriptions" + (from > 0 ? "?from=\(from)" : ""),
            [
                ("Content-Type", told.isEmpty ? "application/octet-stream" : TranscriptionRequest.mediaType),
                ("Accept", "application/x-ndjson"),
                ("Transfer-Encoding", "chunked"),
            ])
        // Beside the answer, which may come before the whole file is sent; ends with the connection.
        let upload = Task { [channel = exchange.channel] in
            await Exchange.send(head, streaming: HeadedFile(head: line, file: file), over: channel)
        }
        do {
            _ = try await exchange.response()
        } catch {
            upload.cancel()
            throw error
        }
        return exchange.events(of: TimedDictationEvent.self)
    }
}
