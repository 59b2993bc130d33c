import AuditExport
import Consent
import Foundation
import SocketAPI
import TestSupport
import Testing

@testable import Commands

@Suite("An incomplete export", .timeLimit(.minutes(1)))
struct ExportRunTests {
    private let folder: TemporaryFolder
    private let fixture: BundleFixture

    init() throws {
        folder = try TemporaryFolder()
        fixture = try BundleFixture(count: 600)
    }

    private var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func run(_ socket: String) throws -> @Sendable () async throws -> AuditExportCommand.Summary {
        let command = try AuditExportCommand.parse(
            ["--format", "bundle", "--language", "en", "--output", folder.path + "/out", "--socket", socket, "--quiet"])
        return { try await command.export(CommandContext(command.options)) }
    }

    /// Says that it is a service, and has a signed checkpoint.
    private static func introduce(
        _ fixture: BundleFixture, _ request: ScriptedServer.Request, _ connection: ScriptedServer.Connection
    ) {
        if request.line.contains("/v1/health") {
            connection.sendWhole("200 OK", #"{"version":"1","mode":"advisory","processIdentifier":1,"muted":false}"#)
        } else if let note = try? fixture.checkpoint(),
            let body = try? JSONCoding.encoder().encode(
                CheckpointReply(
                    checkpoint: String(decoding: note.data, as: UTF8.self), keys: [fixture.signer.verifier.text],
                    retired: []))
        {
            connection.sendWhole("200 OK", String(decoding: body, as: UTF8.self))
        }
    }

    private static func send(_ entries: [AuditEntry], _ connection: ScriptedServer.Connection) {
        for entry in entries {
            guard let line = try? JSONCoding.encoder().encode(entry) else { return }
            connection.sendLine(String(decoding: line, as: UTF8.self))
        }
    }

    @Test("a cancelled export leaves nothing and closes the connection")
    func cancelled() async throws {
        let (isClosed, closed) = AsyncStream.makeStream(of: Void.self)
        let (isUnderWay, underWay) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer(connections: 4) { [fixture] request, connection in
            guard request.line.contains("/v1/audit/entries") else {
                return Self.introduce(fixture, request, connection)
            }
            connection.sendHead()
            Self.send(Array(fixture.entries.prefix(300)), connection)
            underWay.finish()
            connection.waitForClose()
            closed.finish()
        }
        let run = try run(server.path)
        let task = Task { try await run() }
        for await _ in isUnderWay {}
        task.cancel()
        for await _ in isClosed {}
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(left.isEmpty)
        #expect(!server.requests.contains { $0.contains("exports") })
    }

    @Test("a lost connection is reported and leaves nothing")
    func disconnected() async throws {
        let server = try ScriptedServer(connections: 4) { [fixture] request, connection in
            guard request.line.contains("/v1/audit/entries") else {
                return Self.introduce(fixture, request, connection)
            }
            connection.sendHead()
            Self.send(Array(fixture.entries.prefix(300)), connection)
        }
        let run = try run(server.path)
        await #expect(throws: (any Error).self) { try await run() }
        #expect(left.isEmpty && !server.requests.contains { $0.contains("exports") })
    }

    @Test("if the service sends fewer records than it signed, there is no bundle")
    func short() async throws {
        let server = try ScriptedServer(connections: 4) { [fixture] request, connection in
            if request.line.contains("/v1/audit/verification") {
                return connection.sendWhole("200 OK", #"{"records":600,"root":"","erasedRecords":0}"#)
            }
            guard request.line.contains("/v1/audit/entries") else {
                return Self.introduce(fixture, request, connection)
            }
            connection.sendHead()
            Self.send(Array(fixture.entries.dropLast()), connection)
            connection.sendEnd()
        }
        let run = try run(server.path)
        let error = await #expect(throws: CommandError.self) { try await run() }
        #expect(error?.code == .doesNotVerify && error?.status == .badData)
        #expect(left.isEmpty && !server.requests.contains { $0.contains("exports") })
    }
}
