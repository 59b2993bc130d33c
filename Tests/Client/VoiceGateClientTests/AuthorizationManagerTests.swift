import Foundation
import Synchronization
import TestSupport
import Testing

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

    private func state(_ microphone: AuthorizationStatus) -> PermissionChange {
        .state(
            [.speechRecognition: ResourceState(status: .authorized), .microphone: ResourceState(status: microphone)],
            isMuted: false)
    }

    private func changed(_ microphone: AuthorizationStatus) -> PermissionChange {
        .changed([.microphone: ResourceState(status: microphone)], isMuted: false)
    }

    /// Does not wait between attempts.
    private func manager(_ path: String) -> AuthorizationManager {
        var reconnection = Reconnection()
        reconnection.sleep = { _ in try Task.checkCancellation() }
        return AuthorizationManager(service: VoiceGateService(socketPath: path), reconnection: reconnection)
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
        #expect(told == [state(.notDetermined), changed(.authorized), changed(.denied), .gap, state(.authorized)])
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
            service: VoiceGateService(socketPath: "/nowhere/voicegate.sock"), reconnection: reconnection)
        let following = Task {
            var told: [PermissionChange] = []
            for await change in manager.changes { told.append(change) }
            return told
        }
        for await _ in tried {}
        following.cancel()
        let told = await following.value
        #expect(told.count == 1)
        guard case .unreachable(let error) = told.first else { throw CancellationError() }
        #expect(error.code == .notRunning)
    }

    @Test("cancelling the reading task ends the stream and closes the connection")
    func cancelled() async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer.streaming(Self.state("L:1", "denied"))
        let manager = manager(server.path)
        let following = Task { for await _ in manager.changes { hasBegun.finish() } }
        for await _ in begun {}
        following.cancel()
        await following.value
        await server.isOver()
    }

    @Test("dropping the stream closes the connection")
    func dropped() async throws {
        let server = try ScriptedServer.streaming(Self.state("L:1", "denied"))
        for await _ in manager(server.path).changes { break }
        await server.isOver()
    }

    /// What the service answers, the reason in it, and its status.
    private static let refusals: [(String, Refusal.Reason, AuthorizationStatus?)] = [
        (#""code":"missingManifest","message":"M","status":"notDetermined""#, .missingManifest, .notDetermined),
        (
            #""code":"missingUsageDescription","message":"M","status":"notDetermined""#, .missingUsageDescription,
            .notDetermined
        ),
        (#""code":"muted","message":"M","status":"restricted","settings":"voicegate unmute""#, .muted, .restricted),
        (#""code":"denied","message":"M","status":"denied","resource":"microphone""#, .denied, .denied),
        (#""code":"restricted","message":"M","status":"restricted""#, .restricted, .restricted),
        (#""code":"tooManyRequests","message":"M","status":"notDetermined""#, .tooManyRequests, .notDetermined),
        (#""code":"noAnswer","message":"M","status":"notDetermined""#, .noAnswer, .notDetermined),
        (
            #""code":"tooLate","message":"M","status":"perhaps","resource":"camera""#,
            Refusal.Reason(rawValue: "tooLate"), .denied
        ),
        (#""code":"storageUnavailable","message":"M""#, .storageUnavailable, nil),
    ]

    @Test(
        "each reason of a refusal is thrown with its message, also one that only a newer service has",
        arguments: refusals)
    func refused(body: String, reason: Refusal.Reason, status: AuthorizationStatus?) async throws {
        let server = try ScriptedServer.answering(
            #"{"error":{\#(body)},"type":"about:blank","title":"Refused"}"#, status: "403 Forbidden",
            connections: 2)
        for _ in 0..<2 {
            let error = await #expect(throws: ClientError.self) {
                try await manager(server.path).checkAndRequestPermissions()
            }
            #expect(error?.code == .refused)
            #expect(error?.refusal?.reason == reason)
            #expect(error?.refusal?.status == status)
            #expect("\(error.map { "\($0)" } ?? "")" == "M")
        }
        #expect(server.requests == Array(repeating: "POST /v1/authorization/requests HTTP/1.1", count: 2))
    }

    @Test("a service that does not run is told apart from one that refuses")
    func notRunning() async throws {
        let error = await #expect(throws: ClientError.self) {
            try await manager("/nowhere/voicegate.sock").requestAuthorization(for: .microphone)
        }
        #expect(error?.code == .notRunning)
        #expect(error?.refusal == nil)
        #expect(error?.message.contains("voicegate service start") == true)
    }

    @Test("a request can name its scope")
    func scope() async throws {
        let (bodies, body) = AsyncStream.makeStream(of: String.self)
        let server = try ScriptedServer { request, connection in
            body.yield(request.body)
            connection.sendWhole(
                "200 OK",
                #"{"client":"a.b","name":"A","speechRecognition":"authorized","microphone":"authorized"}"#)
            body.finish()
        }
        try await manager(server.path).requestAuthorization(for: .microphone, scope: .always)
        for await body in bodies { #expect(body == #"{"resource":"microphone","scope":"always"}"#) }
    }

    @Test("a busy service is asked again no sooner than it says, and a mute is in the change")
    func busyThenMuted() async throws {
        let connections = Mutex(0)
        let server = try ScriptedServer(connections: 2) { _, connection in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                connection.send("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n")
            } else {
                connection.sendHead()
                connection.sendLine(#"{"type":"somethingNew","cursor":"L:0"}"#)
                connection.sendLine(
                    #"{"type":"changed","cursor":"L:1","muted":true,"changed":{"microphone":{"status":"restricted"},"#
                        + #""camera":{"status":"denied"}}}"#)
                connection.waitForClose()
            }
        }
        let waits = Mutex<[Duration]>([])
        var reconnection = Reconnection()
        reconnection.sleep = { wait in waits.withLock { $0.append(wait) } }
        let manager = AuthorizationManager(
            service: VoiceGateService(socketPath: server.path), reconnection: reconnection)
        var changes = manager.changes.makeAsyncIterator()
        guard case .unreachable(let error) = await changes.next() else { throw CancellationError() }
        #expect(error.refusal?.reason == .unavailable)
        #expect(error.refusal?.retryAfter == .seconds(30))
        #expect(await changes.next() == .changed([.microphone: ResourceState(status: .restricted)], isMuted: true))
        #expect(waits.withLock { $0 } == [.seconds(30)])
    }

    @Test("a status that only a newer service knows is not authorized")
    func unknownStatus() async throws {
        let server = try ScriptedServer.answering(
            #"{"client":"a.b","name":"A","muted":false,"speechRecognition":"limited","microphone":"authorized","#
                + #""problems":[]}"#)
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
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Permissions.md"), encoding: .utf8)
        #expect(text.contains("```swift\n" + example + "```"))
    }
}

// The example
func dictateWhenAllowed() async throws {
    let manager = AuthorizationManager()
    try await manager.checkAndRequestPermissions()

    for await change in manager.changes {
        switch change {
        case .state(let resources, _), .changed(let resources, _):
            if resources[.microphone]?.status != .authorized { return }
        case .gap:
            break  // The current state follows.
        case .unreachable(let error):
            print(error)
        }
    }
}
