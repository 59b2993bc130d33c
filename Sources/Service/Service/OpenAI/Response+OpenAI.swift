import Hummingbird
import SocketAPI
import Speech

extension Response {
    init(text: String, type: String) {
        self.init(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A transcript as server-sent events (WHATWG HTML, section 9.2), each utterance as soon as it is decoded. What ends it
    /// early is told as OpenAI tells it: an event with an `error`, and no `transcript.text.done`.
    ///
    /// - Parameter first: an event that was taken from the others already.
    init(transcript first: TimedDictationEvent, _ events: SessionEvents, of upload: OpenAIUpload) {
        self.init(serverSentEvents: { write in
            var text = OpenAIText()
            do {
                try FileSessions.check(first)
                for try await event in events {
                    try FileSessions.check(event)
                    guard case .final(let transcript) = event.event else { continue }
                    if let delta = text.adding(transcript) { try await write(delta) }
                }
            } catch  where !(error is CancellationError) {
                await FileSessions.exhaust(events)
                return try await write(OpenAIErrors.answer(to: upload.failure ?? error).error)
            }
            try await write(text.done)
        })
    }

    /// The same of a file that was done already.
    init(transcript transcripts: [Transcript]) {
        self.init(serverSentEvents: { write in
            var text = OpenAIText()
            for transcript in transcripts { if let delta = text.adding(transcript) { try await write(delta) } }
            try await write(text.done)
        })
    }

    private init(
        serverSentEvents send:
            @escaping @Sendable (
                _ write: (any Encodable) async throws -> Void
            ) async throws -> Void
    ) {
        self.init(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // JSON has no line's end in it, so that an event is one line.
                let encoder = JSONCoding.encoder()
                try await send { value in
                    let line = Array("data: ".utf8) + (try encoder.encode(value)) + Array("\n\n".utf8)
                    try await writer.write(ByteBuffer(bytes: line))
                }
                try await writer.finish(nil)
            })
    }
}
