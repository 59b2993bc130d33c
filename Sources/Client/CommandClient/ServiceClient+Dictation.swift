import NIOHTTP1
import SocketAPI
import Speech
import struct VoiceGateClient.HeadedFile
import protocol VoiceGateClient.ServiceConnection

/// The events of a dictation or of a transcription; the last is `ended`.
package typealias DictationStream = EventStream<TimedDictationEvent>

extension ServiceClient {
    /// Listens until the session ends, or until the stream is dropped.
    package func dictate(_ request: DictationRequest = DictationRequest()) async throws -> DictationStream {
        try await stream(.POST, "/v1/dictation", request)
    }

    /// Controls a running session of this program.
    ///
    /// - Parameters:
    ///   - session: its identifier, from the `started` event.
    ///   - control: `end` decodes what was heard until now, `cancel` discards it.
    package func control(_ session: String, _ control: SessionControl) async throws {
        try await perform(.POST, "/v1/dictation/\(escaped(session))/\(control.rawValue)")
    }

    /// This program's running dictations, newest first.
    package func dictations() async throws -> DictationsReply { try await answer(.GET, "/v1/dictation") }

    /// Turns a sound file into text. Needs speech recognition only.
    ///
    /// - Parameters:
    ///   - file: the file's bytes, read as the service takes them.
    ///   - told: what is known about its words.
    ///   - language: what is spoken, such as `en` or `en-US`; refused if no engine of the service recognises it. `nil`: any
    ///     language of the engine.
    ///   - from: seconds; utterances that begin earlier are left out, the others do not change.
    /// - Throws: `ClientError`, or the error that reading `file` threw.
    package func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, told: TranscriptionRequest = TranscriptionRequest(), language: String? = nil,
        from: Double = 0
    ) async throws -> DictationStream where File.Element == [UInt8] {
        let line = told.isEmpty ? [] : [UInt8](try JSONCoding.encoder().encode(told)) + [UInt8(ascii: "\n")]
        return try await upload(
            HeadedFile(head: line, file: file),
            to: uri("/v1/audio/transcriptions", ["from": from > 0 ? "\(from)" : nil, "language": language]),
            [
                ("Content-Type", told.isEmpty ? "application/octet-stream" : TranscriptionRequest.mediaType),
                ("Accept", "application/x-ndjson"),
            ])
    }
}
