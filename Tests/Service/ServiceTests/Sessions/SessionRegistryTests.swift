import Authorization
import SocketAPI
import Speech
import Synchronization
import TestSupport
import Testing

@testable import Server
@testable import Sessions

/// A session that reports why it was abandoned.
final class StandInSession: EndableSession {
    let identifier: String
    let requester: Requester
    func presence() async -> Presence { requester.presence }
    var sharing: Sharing { .declared }
    let outcome: SessionOutcome?
    let endings: AsyncStream<DictationEnding>
    private let continuation: AsyncStream<DictationEnding>.Continuation

    init(
        _ identifier: String, client: String = "org.example.Editor", user: UInt32 = 1000,
        presence: Presence = .foreground, outcome: SessionOutcome? = nil
    ) {
        self.outcome = outcome
        self.identifier = identifier
        requester = Samples.requester(client, user: user, presence: presence)
        (endings, continuation) = AsyncStream.makeStream()
    }

    func abandon(_ ending: DictationEnding) { continuation.yield(ending) }
}

@Suite("The registry of sessions", .timeLimit(.minutes(1)))
struct SessionRegistryTests {
    let indicator = IndicatorBoard()
    let registry: SessionRegistry

    init() {
        registry = SessionRegistry(
            indicator: indicator, quota: Quota(total: 8, ofProgram: 4, servesOneUser: true))
    }

    @Test("no more sessions run at a time than the processors can recognise; one that ends makes room for another")
    func bound() async throws {
        let sessions = (0..<8).map { StandInSession("\($0)", client: "a.b\($0)") }
        for session in sessions { try await registry.add(session, device: nil) }
        let error = await #expect(throws: RouteError.self) {
            try await registry.add(StandInSession("more"), device: nil)
        }
        #expect(error?.code == .busy)
        await registry.remove(sessions[0])
        try await registry.add(StandInSession("more"), device: nil)
        await #expect(throws: RouteError.self) { try await registry.add(StandInSession("again"), device: nil) }
    }

    @Test("only a session that has heard something is shown after its end")
    func heard() async throws {
        let dropped = ListeningAccount([.dropped(.background): 16_000])
        for outcome in [
            nil, SessionOutcome(reason: "failed", frames: 0), SessionOutcome(reason: "background", account: dropped),
            SessionOutcome(reason: "ended", frames: 1),
        ] {
            let session = StandInSession("one", outcome: outcome)
            try await registry.add(session, device: "mic")
            #expect(indicator.reply(to: .person(1000)).sessions.count == 1)
            await registry.remove(session)
            let hasHeard = outcome?.reason == "ended"
            #expect(indicator.reply(to: .person(1000)).sessions.count == (hasHeard ? 1 : 0))
        }
    }

    @Test("one client cannot block all others")
    func oneClient() async throws {
        for number in 0..<4 { try await registry.add(StandInSession("\(number)"), device: nil) }
        let error = await #expect(throws: RouteError.self) {
            try await registry.add(StandInSession("more"), device: nil)
        }
        #expect(error?.message == "4 sessions of this client run already. End one, then try again.")
        try await registry.add(StandInSession("other", client: "org.example.other"), device: nil)
    }

    @Test("one user's sessions leave some to others, also of the same client")
    func oneUser() async throws {
        let registry = SessionRegistry(indicator: indicator, quota: Quota(total: 8, ofProgram: 3))
        for number in 0..<3 { try await registry.add(StandInSession("\(number)"), device: nil) }
        await #expect(throws: RouteError.self) { try await registry.add(StandInSession("more"), device: nil) }
        try await registry.add(StandInSession("3", client: "org.example.other"), device: nil)
        let error = await #expect(throws: RouteError.self) {
            try await registry.add(StandInSession("4", client: "org.example.third"), device: nil)
        }
        #expect(error?.code == .busy)
        #expect(error?.message.hasPrefix("4 of your sessions run already, the most allowed at present.") == true)
        try await registry.add(StandInSession("theirs", user: 1001), device: nil)
        try await registry.add(StandInSession("theirs too", user: 1001), device: nil)
    }

    @Test("a user sees only the user's own sessions")
    func users() async throws {
        try await registry.add(StandInSession("mine", presence: .background), device: "mic")
        try await registry.add(StandInSession("theirs", user: 1001), device: nil)
        let shown = indicator.reply(to: .person(1000)).sessions
        #expect(shown.map(\.session) == ["mine"])
        #expect(shown.first?.client == "org.example.Editor")
        #expect(shown.first?.name == "Editor")
        #expect(shown.first?.processIdentifier == 100)
        #expect(shown.first?.device == "mic")
        #expect(shown.first?.presence == .background)
        #expect(shown.first?.resources == [.speechRecognition, .microphone])
        #expect(indicator.reply(to: .person(1001)).sessions.map(\.resources) == [[.speechRecognition]])
        #expect(indicator.reply(to: .person(1002)).sessions.isEmpty)
        #expect(await registry.dictation("mine", ofUser: 1001) == nil)
    }

    @Test("stopping abandons every session and waits until all are removed; no session can start during or after that")
    func stopAll() async throws {
        let sessions = ["a", "b", "c"].map { StandInSession($0) }
        for session in sessions { try await registry.add(session, device: nil) }
        let isStopped = Mutex(false)
        let stopping = Task {
            await registry.stopAll()
            isStopped.withLock { $0 = true }
        }
        for session in sessions {
            for await ending in session.endings {
                #expect(ending == .serviceStopped)
                break
            }
        }
        let error = await #expect(throws: RouteError.self) {
            try await registry.add(StandInSession("late"), device: nil)
        }
        #expect(error?.code == .unavailable)
        for session in sessions {
            #expect(!isStopped.withLock { $0 })
            await registry.remove(session)
        }
        await stopping.value
        #expect(isStopped.withLock { $0 })
    }

    @Test("stopping without sessions returns")
    func stopNothing() async { await registry.stopAll() }
}
