import Authorization
import Consent
import TestSupport
import Testing

@testable import RecordRoutes

@Suite("The erasure of records", .timeLimit(.minutes(1)))
struct RecordErasureTests {
    @Test("records of mutes in force are kept, with the commands by which the caller can end these mutes")
    func mutes() async throws {
        let state = try await StateFixture()
        let (log, routes) = (state.log, try state.erasure())
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
