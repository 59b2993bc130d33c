import Authorization
import Base
import Foundation
import TestSupport
import Testing

@Suite("Permissions of monitors")
struct GateMonitorTests {
    private let requester = Samples.requester(presence: .background, phrases: ["wake up"])

    private func gate(_ terms: Terms?, verdict: Verdict = .authorized) async throws -> Gate {
        let decisions = Resource.allCases.map {
            Decision(
                key: requester.key(for: $0), verdict: verdict,
                program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"), terms: terms, indication: .settings,
                decidedAt: Date(timeIntervalSince1970: 0))
        }
        return try await Gate(
            ledger: RecordingLedger(decisions: verdict == .denied || terms != nil ? decisions : []),
            agent: StandInAgent { _ in .deny })
    }

    private func monitor(_ kind: MonitorKind, _ action: MonitorAction) -> MonitorRegistration {
        MonitorRegistration(
            identifier: "m", user: 1000, client: requester.client.identifier, kind: kind, action: action)
    }

    @Test("starting a client needs a confirmed always; notifying the person needs a grant while in use")
    func scopes() async throws {
        var provisional = Samples.terms()
        provisional.upgrade = .provisional
        let table: [(Terms, MonitorAction, MonitorPermission)] = [
            (Samples.terms(scope: .always), .start, .allowed), (Samples.terms(scope: .always), .notify, .allowed),
            (Samples.terms(), .start, .paused(.notInUse)), (Samples.terms(), .notify, .allowed),
            (provisional, .start, .paused(.notInUse)), (provisional, .notify, .allowed),
        ]
        for (terms, action, expected) in table {
            let gate = try await gate(terms)
            for kind in [MonitorKind.soundBegan, .keyPhrase("wake up")] {
                let monitor = monitor(kind, action)
                #expect(await gate.permission(of: monitor, for: requester) == expected)
                #expect(await gate.refusal(of: monitor, for: requester) == nil, "it may wait for its client's use")
            }
        }
    }

    @Test("with a permission while in use a monitor delivers to its client in the foreground, and only there")
    func inUse() async throws {
        let gate = try await gate(Samples.terms())
        let foreground = Samples.requester(presence: .foreground, phrases: ["wake up"])
        for kind in [MonitorKind.soundBegan, .keyPhrase("wake up")] {
            #expect(await gate.permission(of: monitor(kind, .start), for: foreground) == .allowed)
            #expect(await gate.permission(of: monitor(kind, .start), for: requester) == .paused(.notInUse))
        }
        let once = try await self.gate(Samples.terms(scope: .once))
        #expect(await once.permission(of: monitor(.soundBegan, .start), for: foreground) != .allowed)
        #expect(await once.refusal(of: monitor(.soundBegan, .start), for: foreground) != nil)
    }

    @Test("a denial and a withdrawal end a monitor, a mute pauses it")
    func ends() async throws {
        let monitor = monitor(.soundBegan, .start)
        #expect(await (try gate(nil, verdict: .denied)).permission(of: monitor, for: requester) == .ended(.revoked))
        #expect(await (try gate(nil)).permission(of: monitor, for: requester) == .ended(.reset))
        let gate = try await gate(Samples.terms(scope: .always))
        try await gate.mute(.everyone, by: requester.caller)
        #expect(await gate.permission(of: monitor, for: requester) == .paused(.muted))
        let changed = Samples.requester(sha256: "bb", presence: .background)
        try await gate.unmute(.everyone, by: requester.caller)
        #expect(await gate.permission(of: monitor, for: changed) == .paused(.identityChanged))
    }

    @Test("at reduced fidelity a monitor can wait only for a phrase of the manifest")
    func fidelity() async throws {
        let phrases = try #require(requester.client.manifest).phrases
        let gate = try await gate(Samples.terms(scope: .always, fidelity: .reduced, phrases: phrases))
        #expect(await gate.permission(of: monitor(.keyPhrase("wake up"), .start), for: requester) == .allowed)
        let other = monitor(.keyPhrase("secret"), .start)
        #expect(await gate.permission(of: other, for: requester) == .paused(.reducedFidelity))
        #expect(await gate.refusal(of: other, for: requester)?.code == .reducedFidelity)
        // Also while its client is not in use: it could never listen.
        let inUse = try await self.gate(Samples.terms(fidelity: .reduced, phrases: phrases))
        #expect(await inUse.refusal(of: other, for: requester)?.code == .reducedFidelity)
    }

    @Test("while-in-use permission gives a background grant only for notifying the person")
    func grants() async throws {
        let gate = try await gate(Samples.terms())
        let refused = await #expect(throws: AuthorizationError.self) {
            _ = try await gate.microphoneGrant(for: requester).lease
        }
        #expect(refused?.code == .notInUse)
        let grant = try await gate.microphoneGrant(for: requester, notifying: true)
        #expect(grant.lease.isLive)
    }
}

@Suite("Registered monitors")
struct MonitorBookTests {
    private func monitor(
        _ number: Int, client: String = "org.example.Editor", user: UInt32 = 1000, action: MonitorAction = .start
    ) -> MonitorRegistration {
        MonitorRegistration(
            identifier: "\(client)-\(user)-\(number)", user: user, client: Samples.identifier(client),
            kind: number == 0 ? .soundBegan : .keyPhrase("phrase \(number)"), action: action)
    }

    @Test(
        "a client has at most four of each user, and the same one once; those that notify the user are not counted with them"
    )
    func ofClient() throws {
        var book = MonitorBook()
        for number in 0..<MonitorBook.mostOfClient {
            try book.check(monitor(number))
            book.add(monitor(number))
        }
        #expect(throws: MonitorError.self) { try book.check(monitor(9)) }
        try book.check(monitor(9, user: 1001))
        book.remove(monitor(1).identifier)
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .alreadyRegistered)
        try book.check(monitor(9))
        try book.check(monitor(0, action: .notify))
    }

    @Test("a user has at most sixteen, and another user's do not count")
    func ofUser() throws {
        var book = MonitorBook()
        for client in 0..<4 { for number in 0..<4 { book.add(monitor(number, client: "org.example.c\(client)")) } }
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .tooMany)
        try book.check(monitor(0, user: 1001))
        for client in 0..<4 {
            for number in 0..<4 {
                let notifying = monitor(number, client: "org.example.c\(client)", action: .notify)
                try book.check(notifying)
                book.add(notifying)
            }
        }
        #expect(book.owners.count == 8)
        #expect(book.monitors(of: MonitorOwner(user: 1001, client: Samples.identifier("org.example.c0"))).isEmpty)
    }

    @Test("a kind fits its phrase")
    func kinds() {
        #expect(MonitorKind(name: "soundBegan", phrase: nil) == .soundBegan)
        #expect(MonitorKind(name: "keyPhrase", phrase: "wake up") == .keyPhrase("wake up"))
        for (name, phrase) in [("soundBegan", "wake up"), ("keyPhrase", nil), ("other", nil)] as [(String, String?)] {
            #expect(MonitorKind(name: name, phrase: phrase) == nil)
        }
    }
}

@Suite("When a monitor may act again")
struct MonitorBackOffTests {
    private let now = Moment(boot: "a", sinceBoot: 50_000, wall: 1_000_000)

    private func later(_ milliseconds: Int64, wall: Int64? = nil) -> Moment {
        Moment(boot: "a", sinceBoot: now.sinceBoot + milliseconds, wall: wall ?? now.wall + milliseconds)
    }

    @Test("a new monitor may act at once")
    func fresh() {
        #expect(MonitorBackOff().wait(at: now) == nil)
    }

    @Test(
        "each failure in a row doubles the pause, up to ten minutes",
        arguments: [
            (1, 5), (2, 10), (3, 20), (4, 40), (5, 80), (7, 320), (8, 600), (9, 600), (500, 600),
        ] as [(Int, Int64)])
    func failures(count: Int, seconds: Int64) {
        var backOff = MonitorBackOff()
        for _ in 0..<count { backOff.failed("No device.", at: now) }
        #expect(backOff.failures == count)
        #expect(backOff.wait(at: now) == .seconds(seconds))
        #expect(backOff.wait(at: later(seconds * 1000 - 1)) == .milliseconds(1))
        #expect(backOff.wait(at: later(seconds * 1000)) == nil)
        #expect(backOff.wait(at: later(0, wall: 0)) == .seconds(seconds), "the wall clock does not count")
    }

    @Test("a success resets the pause to a short one")
    func success() {
        var backOff = MonitorBackOff()
        for number in 0..<7 { backOff.failed("\(number)", at: now) }
        #expect(backOff.reason == "6")
        backOff.succeeded(at: now)
        #expect(backOff.failures == 0)
        #expect(backOff.reason == nil)
        #expect(backOff.wait(at: now) == MonitorBackOff.pause)
        backOff.failed("No device.", at: now)
        #expect(backOff.wait(at: now) == .seconds(5))
    }
}
