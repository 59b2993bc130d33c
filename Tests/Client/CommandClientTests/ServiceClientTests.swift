import Authorization
import CommandClient
import Consent
import SocketAPI
import TestSupport
import Testing

@Suite("The command's calls", .timeLimit(.minutes(1)))
struct ServiceClientTests {
    @Test("records of a log that takes several answers are read to the end, also if an answer has none")
    func spans() async throws {
        let server = try ScriptedServer(connections: 3) { request, connection in
            let (span, index): (String, Int?) =
                switch request.line {
                case let line where line.contains("after=5"): ("6-6/8", nil)
                case let line where line.contains("after=6"): ("7-7/8", 7)
                default: ("0-5/8", 4)
                }
            let body =
                index.map {
                    #"{"index":\#($0),"kind":"muted","time":"2026-01-01T00:00:00.000Z","fields":{},"isErased":false}"#
                        + "\n"
                } ?? ""
            connection.send(
                "HTTP/1.1 200 OK\r\nVoicegate-Record-Span: \(span)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
        }
        var indexes: [UInt64] = []
        let filter = AuditFilter(client: ClientIdentifier(rawValue: "a.b"))
        for try await record in try await ServiceClient(socketPath: server.path).auditRecords(matching: filter) {
            indexes.append(record.index)
        }
        #expect(indexes == [4, 7])
        #expect(server.requests.map { $0.contains("client=a.b") } == [true, true, true])
    }

    @Test("the service's answer to a refusal is kept unchanged")
    func reply() async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendWhole(
                "403 Forbidden",
                #"{"error":{"code":"muted","message":"No.","status":"restricted","resource":"microphone","#
                    + #""client":"a.b","settings":"voicegate unmute"}}"#)
        }
        let error = await #expect(throws: ClientError.self) {
            _ = try await ServiceClient(socketPath: server.path).requestAuthorization(.microphone)
        }
        #expect(
            error?.reply
                == ErrorReply(
                    code: "muted", message: "No.", status: .restricted, resource: .microphone, client: "a.b",
                    settings: "voicegate unmute"))
    }
}
