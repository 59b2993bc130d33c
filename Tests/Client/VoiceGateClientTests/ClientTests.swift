import Foundation
import TestSupport
import Testing

@testable import VoiceGateClient

@Suite("The client validates the service's answers", .timeLimit(.minutes(1)))
struct ClientTests {
    private func service(_ server: ScriptedServer) -> VoiceGateService { VoiceGateService(socketPath: server.path) }

    /// The code with which the work fails.
    private func code<Value>(_ work: () async throws -> Value) async -> ClientError.Code? {
        await failure(ClientError.self, of: work)?.code
    }

    @Test("a stream's events arrive one by one, and cancelling closes the connection")
    func streams() async throws {
        let server = try ScriptedServer.streaming(
            #"{"type":"started","time":0,"session":"a","device":"mic","grants":{}}"#, "",
            #"{"type":"level","time":0.1,"decibels":-20}"#)
        let stream = try await service(server).dictate()
        let reading = Task {
            var events: [DictationEvent] = []
            for try await event in stream {
                events.append(event.event)
                if events.count == 2 { return events }
            }
            return events
        }
        #expect(try await reading.value == [.started(session: "a", device: "mic", grants: [:]), .level(-20)])
        await server.isOver()
        #expect(server.requests == ["POST /v1/dictation HTTP/1.1"])
    }

    /// The service was held back and is asked for more; the beginning of a chunk follows, which is not an event yet.
    @Test("a stream continues when a chunk arrives in several parts")
    func pieces() async throws {
        let waiting = DispatchSemaphore(value: 0)
        let count = 40
        let server = try ScriptedServer { _, connection in
            let line = #"{"type":"level","time":0.1,"decibels":-20}"# + "\n"
            let chunk = String(line.utf8.count, radix: 16) + "\r\n" + line + "\r\n"
            connection.sendHead()
            // In one piece, so that they are more at once than may wait for the reader.
            connection.send(String(repeating: chunk, count: count))
            waiting.wait()
            for byte in chunk {
                connection.send(String(byte))
                connection.waitUntilTaken()
            }
            connection.sendEnd()
        }
        var events = 0
        for try await _ in try await service(server).dictate() {
            events += 1
            if events == count { waiting.signal() }
        }
        #expect(events == count + 1)
    }

    @Test("a stream that is not read closes its connection when it is dropped")
    func dropped() async throws {
        let server = try ScriptedServer.streaming()
        _ = try await service(server).dictate()
        await server.isOver()
    }

    @Test("a refusal is thrown with the service's reply")
    func refused() async throws {
        let server = try ScriptedServer.answering(
            #"{"error":{"code":"denied","message":"No.","resource":"microphone","settings":"voicegate settings"}}"#,
            status: "403 Forbidden")
        let error = await #expect(throws: ClientError.self) { _ = try await service(server).dictate() }
        #expect(error?.code == .refused)
        #expect(error?.refusal?.reason == .denied)
        #expect(error?.refusal?.resource == .microphone)
        #expect(error?.refusal?.command == "voicegate settings")
    }

    @Test(
        "an answer that is not HTTP, not JSON, or the wrong JSON is an error",
        arguments: [
            "hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{]}",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno",
        ])
    func malformed(_ answer: String) async throws {
        let server = try ScriptedServer { _, connection in connection.send(answer) }
        #expect(await code { try await service(server).health() } == .protocolViolation)
    }

    @Test(
        "a service that closes the connection before, in, or after the head",
        arguments: ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"])
    func earlyClose(_ answer: String) async throws {
        let server = try ScriptedServer { _, connection in connection.send(answer) }
        #expect(await code { try await service(server).health() } == .disconnected)
    }

    @Test(
        "a service that closes before it has read the whole file is named, and another cause than one that does not answer"
    )
    func notRead() async throws {
        let server = try ScriptedServer { _, _ in }
        let (pieces, sender) = AsyncStream.makeStream(of: [UInt8].self)
        sender.yield([1, 2, 3])
        #expect(await code { try await service(server).transcribe(pieces) } == .notRead)
        sender.finish()
    }

    @Test("a stream that breaks off ends with an error")
    func brokenStream() async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendHead()
            connection.sendLine(#"{"type":"level","time":0.1,"decibels":-20}"#)
        }
        var count = 0
        #expect(await code { for try await _ in try await service(server).dictate() { count += 1 } } == .disconnected)
        #expect(count == 1)
    }

    @Test("the length of a line is bounded")
    func endlessLine() async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendHead()
            for _ in 0..<80 { connection.send("10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n") }
            connection.waitForClose()
        }
        #expect(await code { for try await _ in try await service(server).dictate() {} } == .protocolViolation)
    }

    @Test("the length of an answer is bounded")
    func endlessAnswer() async throws {
        let server = try ScriptedServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            for _ in 0..<200 { connection.send(String(repeating: "x", count: 0x10000)) }
            connection.waitForClose()
        }
        #expect(await code { try await service(server).devices() } == .protocolViolation)
    }

    @Test("a file is sent in pieces, and an error of reading it is thrown")
    func uploads() async throws {
        struct Unreadable: Error {}
        let server = try ScriptedServer { _, connection in
            _ = connection.readUntil("abc\r\n")
            connection.waitForClose()
        }
        let (file, writer) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        writer.yield(Array("abc".utf8))
        writer.finish(throwing: Unreadable())
        await #expect(throws: Unreadable.self) { _ = try await service(server).transcribe(file) }
    }

    @Test("cancelling a request that waits for the user closes its connection")
    func cancelledRequest() async throws {
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let server = try ScriptedServer { request, connection in
            event.yield(request.body)
            connection.waitForClose()
            event.finish()
        }
        let request = Task { try await service(server).requestAuthorization(for: .microphone) }
        var seen: [String] = []
        for await body in events {
            seen.append(body)
            request.cancel()
        }
        #expect(seen == [#"{"resource":"microphone"}"#])
        await #expect(throws: CancellationError.self) { _ = try await request.value }
    }

    @Test("a file is named by its URL, and one that cannot be read is an error with its path")
    func files() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("abc", to: "speech.wav")
        let server = try ScriptedServer { _, connection in
            _ = connection.readUntil("abc\r\n0\r\n\r\n")
            connection.sendHead()
            connection.sendLine(#"{"type":"ended","time":1,"reason":"ended"}"#)
            connection.sendEnd()
        }
        let service = self.service(server)
        var events: [DictationEvent] = []
        let stream = try await service.transcribe(
            contentsOf: URL(filePath: path), hints: TranscriptionHints(), language: "en", startingAt: 2)
        for try await event in stream { events.append(event.event) }
        #expect(events == [.ended(.ended, message: nil)])
        #expect(server.requests == ["POST /v1/audio/transcriptions?from=2.0&language=en HTTP/1.1"])

        for (name, number) in [("none.wav", ENOENT), ("", EISDIR)] {
            let error = await #expect(throws: ClientError.self) {
                _ = try await service.transcribe(contentsOf: URL(filePath: folder.path + "/" + name))
            }
            #expect(error?.code == .unreadableFile)
            #expect(error?.errorNumber == number)
            #expect(error?.message.hasPrefix(folder.path) == true)
        }
    }

    @Test("an error without a reason is one of the protocol, unless its status says to try again later")
    func statusAlone() async throws {
        let server = try ScriptedServer(connections: 3) { request, connection in
            let status = request.line.split(separator: "%2F").last?.prefix { $0 != "/" } ?? ""
            connection.send("HTTP/1.1 \(status) Oh\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nno")
        }
        let service = self.service(server)
        for (status, code, reason) in [
            (429, ClientError.Code.refused, Refusal.Reason.busy), (503, .refused, .unavailable),
            (502, .protocolViolation, nil),
        ] as [(Int, ClientError.Code, Refusal.Reason?)] {
            let error = await #expect(throws: ClientError.self) {
                try await service.send(.end, toSession: "/\(status)")
            }
            #expect(error?.code == code)
            #expect(error?.refusal?.retryAfter == (code == .refused ? .seconds(3) : nil))
            #expect(error?.refusal?.reason == reason)
        }
    }

    @Test("the language of messages is that of the locale")
    func language() {
        for (environment, tag) in [
            (["LANG": "ja_JP.UTF-8"], "ja-JP"), (["LC_ALL": "", "LANG": "C.UTF-8"], "en"), ([:], "en"),
            (["LC_ALL": "ko_KR", "LANG": "de_DE@euro"], "ko-KR"), (["LANG": "de_DE@euro"], "de-DE"),
        ] as [([String: String], String)] { #expect(VoiceGateService.languageTag(environment: environment) == tag) }
    }
}
