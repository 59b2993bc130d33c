import Authorization
import RecognizerProtocol
import SocketAPI
import Speech

/// One connection from its first event to its last: any number of transcriptions, one after the other.
struct WyomingConversation {
    let door: WyomingDoor
    let connection: Connection
    let reader: WyomingReader
    let writer: WyomingWriter

    /// Returns when the client has ended the stream, or something went wrong and it was told.
    func run() async {
        do {
            var request = WyomingRequest()
            while let event = try await reader.next() {
                switch event.type {
                case "transcribe": request = try WyomingRequest(event)
                case "audio-start":
                    try await transcribe(try WyomingFormat(event), request)
                    request = WyomingRequest()
                case "audio-chunk":
                    throw RouteError(.badRequest, "An audio-chunk came with no audio-start before it.")
                default: try await answer(event)
                }
            }
        } catch {
            if !(error is Told) { await writer.fail(error) }
            await reader.drain()
        }
    }

    /// The client knows already what went wrong.
    private struct Told: Error {}

    /// What can be asked at any time. Events that are not known belong to some other kind of service.
    private func answer(_ event: WyomingEvent) async throws {
        switch event.type {
        case "describe":
            let requester = try await door.clients.requester(on: connection)
            let standing = await door.sessions.gate.status(of: .speechRecognition, for: requester)
            try await writer.write(door.speech.information(client: requester.client.identifier, standing))
        case "ping":
            let text = event.data["text"] ?? .null
            try await writer.write(WyomingEvent(type: "pong", data: text == .null ? [:] : ["text": text]))
        default: break
        }
    }

    private func transcribe(_ format: WyomingFormat, _ request: WyomingRequest) async throws {
        let language = try door.speech.language(for: request.language)
        let requester = try await door.clients.requester(on: connection)
        let recognition = try request.told.recognition(for: requester)
        let sound = WyomingSound(reader, format, answering: answer)
        let events = try await door.sessions.begin(
            sound, recognition, for: requester, on: connection, patience: door.patience.event + .seconds(5))
        do {
            try await tell(events, in: language)
        } catch {
            await writer.fail(sound.failure ?? error)
            // A session tells of its end before it has stopped reading. Two that read at once would end the process; its
            // events are over when nobody reads the sound any more.
            do { for try await _ in events {} } catch {}
            throw Told()
        }
    }

    private func tell(_ events: SessionEvents, in language: WyomingSpeech.Language) async throws {
        let start = WyomingEvent(type: "transcript-start", data: language.data)
        var text = ""
        for try await event in events {
            try FileSessions.check(event)
            guard case .final(let transcript) = event.event, !transcript.text.isEmpty else { continue }
            if text.isEmpty { try await writer.write(start) }
            let addition = (text.isEmpty ? "" : " ") + transcript.text
            text += addition
            try await writer.write(WyomingEvent(type: "transcript-chunk", data: ["text": .string(addition)]))
        }
        if text.isEmpty { try await writer.write(start) }
        try await writer.write(
            WyomingEvent(type: "transcript", data: ["text": .string(text)].merging(language.data) { own, _ in own }),
            WyomingEvent(type: "transcript-stop"))
    }
}
