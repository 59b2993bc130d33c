import Authorization
import Hummingbird
import LinuxSystem
import Testing

@testable import Server

@Suite("The quotas of a service")
struct ServiceQuotasTests {
    @Test(
        "all that may be taken fits into the descriptors",
        arguments: [1024, 4096, 8192, 524_288], [true, false])
    func descriptors(_ descriptors: Int, _ servesOneUser: Bool) {
        for sessions in [4, 8, 32] where descriptors > 1024 || sessions < 32 {
            let limits = ServiceQuotas(servesOneUser: servesOneUser, descriptors: descriptors, sessions: sessions)
            let connections = 2 * (limits.connections.total + limits.reservedConnections)
            let needed = 64 + 16 * sessions + 2 * limits.watches.total + 4 * connections
            #expect(needed <= descriptors, "\(descriptors) descriptors, \(sessions) sessions")
            #expect(limits.connections.total >= 32)
            #expect(limits.connectionsOfPrograms.total < limits.connections.total)
            #expect(limits.connections.ofProgram >= 4)
        }
    }

    @Test("one user's client never takes all sessions that its user may have", arguments: [true, false], [4, 8, 32])
    func sessions(_ servesOneUser: Bool, _ sessions: Int) {
        let limits = ServiceQuotas(servesOneUser: servesOneUser, descriptors: 8192, sessions: sessions).sessions
        var counts = QuotaCounts<Int>(limits)
        while counts.take(1, of: 1000) == nil {}
        #expect(counts.take(2, of: 1000) == nil)
        for client in 3..<sessions + 3 { _ = counts.take(client, of: 1000) }
        #expect(counts.taken == (servesOneUser ? sessions : sessions / 2))
    }

    /// Takes as many as one user may, each for another program.
    private func all(of counts: inout QuotaCounts<Int>, for user: UInt32) -> Int {
        let before = counts.taken
        while counts.take(counts.taken, of: user) == nil {}
        return counts.taken - before
    }

    @Test("with many descriptors and several users the numbers are those that Documentation/Attacks.md states")
    func numbers() {
        let quotas = ServiceQuotas(servesOneUser: false, descriptors: 524_288, sessions: 16)
        #expect(quotas.connections.total == 512)
        #expect(quotas.connections.ofProgram == 64)
        #expect(quotas.connections.keptForRoot == 16)
        #expect(quotas.reservedConnections == 16)
        var connections = QuotaCounts<Int>(quotas.connections)
        let ofUsers = (1000..<1015).map { all(of: &connections, for: $0) }
        #expect(ofUsers[0] <= 512 / 3)
        #expect(ofUsers == ofUsers.sorted(by: >))
        #expect(ofUsers.reduce(0, +) == 512 - 16)
        #expect(connections.take(0, of: 1015) == .ofAll(496))
        #expect(connections.take(0, of: 0) == nil, "root gets one")
        var ofPrograms = QuotaCounts<Int>(quotas.connectionsOfPrograms)
        #expect(all(of: &ofPrograms, for: 1000) == 96)
        var sessions = QuotaCounts<Int>(quotas.sessions)
        #expect(quotas.sessions.ofProgram == 6)
        #expect(all(of: &sessions, for: 1000) == 8)
    }

    private static let taking = TakingAway([(.put, "v1/mute"), (.put, "v1/settings/:client"), (.delete, "v1/settings")])

    @Test(
        "a call that revokes is known by its method and path",
        arguments: [
            ("PUT", "/v1/mute", true), ("PUT", "/v1/mute?x=1", true), ("DELETE", "/v1/mute", false),
            ("PUT", "/v1/settings/org.example.Editor?user=7", true), ("PUT", "/v1/settings", false),
            ("PUT", "/v1/settings/a/b", false), ("DELETE", "/v1/settings", true),
            ("GET", "/v1/indicator/changes", false),
            ("POST", "/v1/dictation", false), ("GET", "", false),
        ])
    func kinds(_ method: String, _ path: String, _ isServed: Bool) throws {
        let request = HTTPRequest(
            method: try #require(HTTPRequest.Method(method)), scheme: nil, authority: nil, path: path)
        #expect(Self.taking.includes(request) == isServed)
    }
}

@Suite("The connections that are kept for revoking")
struct ReserveTests {
    private func peer(_ process: Int32, _ user: UInt32) -> PeerCredentials {
        PeerCredentials(processIdentifier: process, user: user)
    }

    @Test("a newcomer takes the place of the oldest silent one, first of the user with the most")
    func silent() {
        var reserve = Reserve(total: 4)
        for process in Int32(1)...3 { #expect(reserve.take(peer(process, 1000))?.replaced == nil) }
        #expect(reserve.take(peer(9, 1001)).map { [$0.seat] } == [4])
        #expect(reserve.take(peer(10, 1002))?.replaced == 1)
        #expect(reserve.take(peer(11, 1003))?.replaced == 2)
    }

    @Test("one whose request is complete keeps its place; when all are, a newcomer gets none")
    func served() {
        var reserve = Reserve(total: 2)
        for process in Int32(1)...2 { if let place = reserve.take(peer(process, 1000)) { reserve.serve(place.seat) } }
        #expect(reserve.take(peer(3, 1001)) == nil)
        reserve.leave(1)
        #expect(reserve.take(peer(3, 1001))?.replaced == nil)
    }

    @Test("a process that connects again and again takes only its own places")
    func oneProcess() {
        var reserve = Reserve(total: 4)
        let other = reserve.take(peer(1, 1000))?.seat
        for _ in 0..<20 { #expect(reserve.take(peer(2, 1000))?.replaced != other) }
        for process in Int32(3)...4 { #expect(reserve.take(peer(process, 1000))?.replaced != other || process == 4) }
    }
}
