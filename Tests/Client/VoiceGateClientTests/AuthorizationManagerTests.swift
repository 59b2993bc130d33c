import Authorization
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SocketAPI
@testable import VoiceGateClient

@Suite("The authorization manager", .timeLimit(.minutes(1)))
struct AuthorizationManagerTests {
    private static func state(_ cursor: String, _ microphone: String) -> String {
        #"{"type":"state","cursor":"\#(cursor)","authorization":{"client":"a.b","name":"A","muted":false,"#
            + #""speechRecognition":"authorized","microphone":"\#(microphone)","problems":[]},"#
            + #""resources":{"microphone":{"status":"\#(microphone)"}}}"#
    }

    private static func changed(_ cursor: String, _ microphone: String) -> String {
        #"{"type":"changed","cursor":"\#(cursor)","muted":false,"#
            + #""changed":{"microphone":{"status":"\#(microphone)"}}}"#
    }

    private func microphone(_ status: AuthorizationStatus) -> [Resource: ResourceState] {
        [.microphone: ResourceState(status: status)]
    }

    /// Does not wait between attempts.
    private func manager(_ path: String) -> AuthorizationManager {
        var reconnection = Reconnection()
        reconnection.sleep = { _ in try Task.checkCancellation() }
        return AuthorizationManager(client: VoiceGateClient(socketPath: path), reconnection: reconnection)
    }

    @Test("changes continue after a lost connection, from the last cursor")
    func reconnects() async throws {
        let connections = Mutex(0)
        let server = try ScriptedServer(connections: 3) { _, connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            connection.sendHead()
            switch number {
            case 1:
                connection.sendLine(Self.state("L:1", "notDetermined"))
                connection.sendLine(Self.changed("L:2", "authorized"))
            case 2:
                connection.sendLine(#"{"type":"resumed","cursor":"L:2"}"#)
                connection.sendLine(Self.changed("L:3", "denied"))
            default:
                connection.sendLine(#"{"type":"gap"}"#)
                connection.sendLine(Self.state("M:0", "authorized"))
                connection.waitForClose()
            }
        }
        var told: [PermissionChange] = []
        for await change in manager(server.path).changes {
            told.append(change)
            if told.count == 5 { break }
        }
        #expect(
            told == [
                .state(microphone(.notDetermined)), .changed(microphone(.authorized)), .changed(microphone(.denied)),
                .gap, .state(microphone(.authorized)),
            ])
        #expect(
            server.requests == [
                "GET /v1/authorization/changes HTTP/1.1", "GET /v1/authorization/changes?after=L%3A2 HTTP/1.1",
                "GET /v1/authorization/changes?after=L%3A3 HTTP/1.1",
            ])
    }

    @Test("an unreachable service is reported once and tried again until it answers")
    func unreachable() async throws {
        let attempts = Mutex(0)
        let (tried, isTried) = AsyncStream.makeStream(of: Void.self)
        var reconnection = Reconnection()
        reconnection.sleep = { _ in
            try Task.checkCancellation()
            let count = attempts.withLock { count in
                count += 1
                return count
            }
            if count == 5 { isTried.finish() }
            if count > 5 { try await Task.sleep(for: .seconds(3600)) }
        }
        let manager = AuthorizationManager(
            client: VoiceGateClient(socketPath: "/nowhere/voicegate.sock"), reconnection: reconnection)
        let following = Task {
            var told: [PermissionChange] = []
            for await change in manager.changes { told.append(change) }
            return told
        }
        for await _ in tried {}
        following.cancel()
        let told = await following.value
        #expect(told.count == 1)
        guard case .unreachable(let error) = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(error.code == .notRunning)
    }

    @Test("cancelling the reading task ends the stream and closes the connection")
    func cancelled() async throws {
        let (closed, isClosed) = AsyncStream.makeStream(of: Void.self)
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { _, connection in
            connection.sendHead()
            connection.sendLine(Self.state("L:1", "denied"))
            connection.waitForClose()
            isClosed.finish()
        }
        let manager = manager(server.path)
        let following = Task {
            for await _ in manager.changes { hasBegun.finish() }
        }
        for await _ in begun {}
        following.cancel()
        await following.value
        for await _ in closed {}
    }

    @Test("dropping the stream closes the connection")
    func dropped() async throws {
        let (closed, isClosed) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { _, connection in
            connection.sendHead()
            connection.sendLine(Self.state("L:1", "denied"))
            connection.waitForClose()
            isClosed.finish()
        }
        for await _ in manager(server.path).changes { break }
        for await _ in closed {}
    }

    @Test(
        "a refusal becomes its status, and an unknown status is a denial",
        arguments: [
            ("denied", AuthorizationStatus.denied), ("restricted", .restricted), ("notDetermined", .notDetermined),
            ("perhaps", .denied),
        ])
    func refused(word: String, status: AuthorizationStatus) async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendWhole(
                "403 Forbidden", #"{"error":{"code":"denied","message":"No.","status":"\#(word)"}}"#)
        }
        #expect(try await manager(server.path).checkAndRequestPermissions() == status)
        #expect(server.requests == ["POST /v1/authorization/requests HTTP/1.1"])
    }

    @Test("a reply without a status is an error")
    func failed() async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendWhole("503 Service Unavailable", #"{"error":{"code":"storageUnavailable","message":"No."}}"#)
        }
        await #expect(throws: ClientError.self) {
            _ = try await manager(server.path).requestAuthorization(for: .microphone)
        }
    }

    @Test("a status that only a newer service knows is not authorized")
    func unknownStatus() async throws {
        let server = try ScriptedServer { _, connection in
            connection.sendWhole(
                "200 OK",
                #"{"client":"a.b","name":"A","muted":false,"speechRecognition":"limited","microphone":"authorized","#
                    + #""problems":[]}"#)
        }
        #expect(try await manager(server.path).status(of: .speechRecognition) == .denied)
    }

    @Test("changes are handed to the reader one at a time")
    func handoff() async {
        let handoff = Handoff<Int>()
        let giving = Task {
            var taken = 0
            for number in 0..<100 where await handoff.give(number) { taken += 1 }
            return taken
        }
        for number in 0..<100 { #expect(await handoff.take() == number) }
        #expect(await giving.value == 100)
        let last = Task { await handoff.give(1) }
        handoff.finish()
        #expect(await !last.value)
        #expect(await handoff.take() == nil)
    }

    @Test("the documentation's example is this one, and compiles")
    func documentation() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let example = try #require(source.components(separatedBy: "// The example\n").dropFirst().first)
        let root = Checkout.root
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/permissions.md"), encoding: .utf8)
        #expect(text.contains("```swift\n" + example + "```"))
    }
}

// The example
func dictateWhenAllowed() async throws {
    let manager = AuthorizationManager()
    guard try await manager.checkAndRequestPermissions() == .authorized else { return }

    for await change in manager.changes {
        switch change {
        case .state(let resources), .changed(let resources):
            if resources[.microphone]?.status != .authorized { return }
        case .gap:
            break  // The current state follows.
        case .unreachable(let error):
            print(error)
        }
    }
}
