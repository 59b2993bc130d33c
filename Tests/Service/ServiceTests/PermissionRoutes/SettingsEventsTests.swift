import Authorization
import SocketAPI
import TestSupport
import Testing

@testable import PermissionRoutes
@testable import Server

@Suite("The stream of a user's settings", .timeLimit(.minutes(1)))
struct SettingsEventsTests {
    private let caller = Samples.requester().caller
    private let others = Samples.requester(user: 1001).caller
    private static let commandLine = "io.voicegate.cli"

    private func events(_ gate: Gate) throws -> SettingsEvents {
        let clients = try ClientResolver.ofCommandLine()
        let overview = SettingsOverview(clients: clients, gate: gate, problems: ProblemBoard(clients: clients))
        return SettingsEvents(overview: overview, user: 1000, language: .english)
    }

    private func deny(_ client: String, _ gate: Gate, by caller: Caller) async throws {
        let key = DecisionKey(user: caller.user, client: Samples.identifier(client), resource: .microphone)
        try await gate.decide(.denied, for: key, program: nil, by: caller)
    }

    @Test("the first line has all clients, and each later one those that changed, whatever other users change")
    func parts() async throws {
        let gate = try await Gate(ledger: RecordingLedger(), agent: StandInAgent())
        for number in 0..<5 { try await deny("org.example.c\(number)", gate, by: caller) }
        var events = try events(gate)
        let first = try #require(await events.next())
        #expect(Set(first.entries.map(\.client)).count == 6 && first.isPartial == nil)
        for number in 0..<1_000 { try await deny("org.example.c\(number)", gate, by: others) }
        try await deny(Self.commandLine, gate, by: caller)
        let second = try #require(await events.next())
        #expect(second.isPartial == true)
        #expect(second.entries.map(\.client) == [Self.commandLine, Self.commandLine])
        #expect(second.entries.map(\.status) == [.notDetermined, .denied])
        // What changed since the line before is one line, with a client of which nothing is left.
        let key = DecisionKey(user: 1000, client: Samples.identifier("org.example.c3"), resource: .microphone)
        try await gate.reset(key, by: caller)
        try await deny("org.example.c9", gate, by: caller)
        let third = try #require(await events.next())
        #expect(third.isPartial == true)
        let statuses = third.entries.filter { $0.resource == .microphone }.map { ($0.client, $0.status) }
        #expect(statuses.map(\.0) == ["org.example.c3", "org.example.c9"])
        #expect(statuses.map(\.1) == [.notDetermined, .denied])
    }

    @Test("a mute concerns all clients of its user, with the program that muted, and none of another user")
    func mute() async throws {
        let gate = try await Gate(ledger: RecordingLedger(), agent: StandInAgent())
        var events = try events(gate)
        #expect(try #require(await events.next()).muted == false)
        try await gate.mute(.user(1001), by: others)
        try await gate.mute(.user(1000), by: caller)
        let muted = try #require(await events.next())
        #expect(muted.isPartial == nil && muted.muted)
        #expect(muted.mutedBy == MutedBy(scope: .user, program: "/usr/bin/editor"))
        #expect(Set(muted.entries.map(\.status)) == [.restricted])
    }
}
