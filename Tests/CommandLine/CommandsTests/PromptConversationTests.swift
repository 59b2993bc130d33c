import Authorization
import CommandClient
import Foundation
import SocketAPI
import Synchronization
import TestSupport
import Testing

import struct Prompting.PromptingError

@testable import Commands

@Suite("Prompts in the terminal", .timeLimit(.minutes(1)))
struct PromptConversationTests {
    private static let offer =
        #"{"type":"shown","prompt":{"cookie":"c","client":"a.b","resource":"microphone","language":"en","#
        + #""title":"T","usageDescription":"U","items":[],"answers":["whileInUse","deny"],"offersFidelity":false}}"#
    private static let reply =
        #"{"client":"a.b","name":"A","speechRecognition":"authorized","microphone":"authorized","muted":false,"problems":[]}"#

    /// A service that shows one prompt and lets the request through once it is answered.
    private func service(_ order: AsyncStream<String>.Continuation) throws -> ScriptedServer {
        let (listening, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        return try ScriptedServer(connections: 3) { request, connection in
            switch request.line {
            case let line where line.hasPrefix("GET /v1/prompts"):
                connection.sendHead()
                order.yield("listening")
                connection.sendLine(#"{"type":"listening"}"#)
                listening.wait()
                connection.sendLine(Self.offer)
                connection.waitForClose()
                order.yield("closed")
            case let line where line.hasPrefix("POST /v1/authorization/requests"):
                order.yield("asked")
                listening.signal()
                answered.wait()
                connection.sendWhole("200 OK", Self.reply)
            default:
                order.yield(request.line + " " + request.body)
                connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                answered.signal()
            }
        }
    }

    private let output = Output(isQuiet: true, isJSON: false)

    @Test("the request follows the prompt stream, the prompt is shown, and the answer is sent")
    func answers() async throws {
        let (order, events) = AsyncStream.makeStream(of: String.self)
        let server = try service(events)
        let conversation = PromptConversation(client: ServiceClient(socketPath: server.path), output: output) {
            offer, _ in
            events.yield("shown \(offer.title)")
            return AgentReply(answer: .whileInUse, indication: .terminal)
        }
        try await conversation.request(nil)
        var seen: [String] = []
        for await event in order {
            seen.append(event)
            if event == "closed" { break }
        }
        #expect(
            seen == [
                "listening", "asked", "shown T", #"POST /v1/prompts/c/answer HTTP/1.1 {"answer":"whileInUse"}"#,
                "closed",
            ])
    }

    @Test("an interruption at the prompt ends the request without an answer")
    func interrupted() async throws {
        let (order, events) = AsyncStream.makeStream(of: String.self)
        let server = try service(events)
        let conversation = PromptConversation(client: ServiceClient(socketPath: server.path), output: output) {
            _, _ in
            throw PromptingError(code: .interrupted, message: "")
        }
        await #expect(throws: CommandError.interrupted) { try await conversation.request(nil) }
        for await event in order where event == "closed" { break }
        #expect(!server.requests.contains { $0.contains("answer") })
    }

    @Test("without a terminal the request is sent and no prompt is shown")
    func noTerminal() async throws {
        let server = try ScriptedServer { _, connection in connection.sendWhole("200 OK", Self.reply) }
        let conversation = PromptConversation(client: ServiceClient(socketPath: server.path), output: output, ask: nil)
        try await conversation.request(.microphone)
        #expect(server.requests == ["POST /v1/authorization/requests HTTP/1.1"])
    }
}
