import Consent
import Foundation
import Storage
import TestSupport
import Testing

@testable import RecordRoutes
@testable import Server

@Suite("A backup that is not taken to its end", .timeLimit(.minutes(1)))
struct BackupRoutesTests {
    private let state: StateFixture
    private let routes: BackupRoutes
    private var copy: String { routes.backup.path }

    init() async throws {
        state = try await StateFixture()
        routes = BackupRoutes(log: state.log, backup: try LogBackup(state.storage, directory: state.path))
    }

    private var isThere: Bool { FileManager.default.fileExists(atPath: copy) }

    /// Returns when another backup could be made, and nothing of that is there either.
    private func expectAnotherCanBeMade() async throws {
        while true {
            do {
                _ = try await routes.make(for: LedgerSamples.requester.caller)
                break
            } catch let error as RouteError where error.code == .busy {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        while isThere {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("when its answer is never sent, because the connection is closed, it is removed and another can be made")
    func answerNotSent() async throws {
        do {
            let response = try await routes.make(for: LedgerSamples.requester.caller)
            #expect(FileManager.default.fileExists(atPath: copy + "/consent.sqlite"))
            await #expect(throws: RouteError.self) { _ = try await routes.make(for: LedgerSamples.requester.caller) }
            withExtendedLifetime(response) {}
        }
        try await expectAnotherCanBeMade()
    }

    @Test("it is recorded before a client gets it, also if no client fetches it")
    func recorded() async throws {
        let size = await routes.log.head.size
        do { _ = try await routes.make(for: LedgerSamples.requester.caller) }
        let records = try await routes.log.records(in: size..<UInt64(Int64.max))
        #expect(records.map(\.kind) == ["export.made"])
        #expect(records.first?.fields["format"]?.string == "backup")
        #expect(records.first?.fields["sha256"]?.string?.count == 64)
        try await expectAnotherCanBeMade()
    }

    @Test("when its request is cancelled it is removed and another can be made")
    func cancelled() async throws {
        let making = Task { _ = try await routes.make(for: LedgerSamples.requester.caller) }
        making.cancel()
        _ = await making.result
        try await expectAnotherCanBeMade()
    }

    @Test("files that a killed service left are removed at the start")
    func left() async throws {
        try FileManager.default.createDirectory(atPath: copy + "/kept", withIntermediateDirectories: true)
        try Data("key".utf8).write(to: URL(fileURLWithPath: copy + "/consent.key"))
        try await routes.backup.removeLeft()
        #expect(!isThere)
    }
}
