import Authorization
import Base
import Consent
import Retention
import Storage
import TestSupport
import Testing

@testable import Service

@Suite("The erasure of records", .timeLimit(.minutes(1)))
struct ErasureRoutesTests {
    @Test("records of mutes in force are kept, with the commands by which the caller can end these mutes")
    func mutes() async throws {
        let folder = try TemporaryFolder()
        let state = folder.path + "/state"
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        let moment = Moment(boot: "a", sinceBoot: 1_000_000, wall: 1_790_000_000_000)
        let routes = ErasureRoutes(
            log: log, registry: SessionRegistry(quota: Quota(total: 8, ofProgram: 4)),
            items: ItemStore(
                table: storage, folder: try KeptFolder(stateDirectory: state), ledger: log, moment: { moment }))
        let (user, root) = (Samples.requester(user: 1000).caller, Samples.requester(user: 0).caller)
        func command(by caller: Caller) async throws -> String? {
            let kept = try await routes.erase(RightsScope(user: 1000), by: caller).kept
            return try #require(kept.first { $0.reason == .muteInForce }).command
        }
        try await log.record(.muted(.user(1000), by: user), changing: nil)
        #expect(try await command(by: user) == "voicegate unmute")
        #expect(try await command(by: root) == nil, "only the user ends it")
        try await log.record(.muted(.everyone, by: user), changing: nil)
        #expect(try await command(by: user) == "voicegate unmute && voicegate unmute --everyone")
        #expect(try await command(by: root) == "voicegate unmute --everyone")
        // Root's takes the place of the user's.
        try await log.record(.muted(.everyone, by: root), changing: nil)
        #expect(try await command(by: user) == "voicegate unmute")
        try await log.record(.unmuted(.user(1000), by: user), changing: nil)
        #expect(try await command(by: user) == nil)
        #expect(try await command(by: root) == "voicegate unmute --everyone")
        try await log.record(.unmuted(.everyone, by: root), changing: nil)
        let kept = try await routes.erase(RightsScope(user: 1000), by: user).kept
        #expect(!kept.contains { $0.reason == .muteInForce })
    }
}
