import Authorization
import Foundation
import SocketAPI
import Speech
import Synchronization
import TestSupport
import Testing

@testable import Server
@testable import Sessions

@Suite("The indicator's board", .timeLimit(.minutes(1)))
struct IndicatorBoardTests {
    private struct StandInSession: EndableSession {
        let identifier: String
        let requester: Requester
        let clientPresence: @Sendable () -> Presence
        func presence() async -> Presence { clientPresence() }
        var sharing: Sharing { .declared }
        var outcome: SessionOutcome? { nil }

        func abandon(_ ending: DictationEnding) {}
    }

    /// A clock that stands still until a test moves it, and then wakes who slept long enough.
    private final class StandingClock: Sendable {
        private struct State {
            var now = ContinuousClock.now
            var sleepers: [(until: ContinuousClock.Instant, continuation: CheckedContinuation<Void, Never>)] = []
        }

        private let state = Mutex(State())

        var now: ContinuousClock.Instant { state.withLock(\.now) }

        func sleep(until instant: ContinuousClock.Instant) async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if instant <= state.now { return true }
                    state.sleepers.append((instant, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        }

        func advance(by seconds: Double) {
            let awake = state.withLock { state in
                state.now += .seconds(seconds)
                let now = state.now
                defer { state.sleepers.removeAll { $0.until <= now } }
                return state.sleepers.filter { $0.until <= now }
            }
            for sleeper in awake { sleeper.continuation.resume() }
        }
    }

    private let clock: StandingClock
    private let board: IndicatorBoard

    init() {
        let clock = StandingClock()
        self.clock = clock
        board = IndicatorBoard(now: { clock.now }, sleepUntil: { await clock.sleep(until: $0) })
    }

    private func begin(
        _ identifier: String, user: UInt32 = 1000, presence: @escaping @Sendable () -> Presence = { .foreground }
    ) {
        board.begin(
            StandInSession(
                identifier: identifier, requester: Samples.requester(user: user), clientPresence: presence),
            resources: [.microphone], device: "mic")
    }

    /// Reads until the stream shows it; the clock goes on by half seconds, so that sleepers wake.
    private func reads(
        _ states: inout AsyncStream<IndicatorReply>.Iterator, _ expected: [String]
    ) async -> Bool {
        while let reply = await states.next() {
            if reply.sessions.map({ "\($0.session) \($0.phase) \($0.presence)" }) == expected { return true }
        }
        return false
    }

    @Test("a session is shown with the engine that recognises it now, and with none before it has started")
    func engine() {
        begin("a")
        func shown() -> [String?] { board.reply(to: .person(1000)).sessions.map(\.recognizer) }
        #expect(shown() == [nil])
        board.setEngine(SpeechEngine(name: "Moonshine tiny", version: "0.0.73"), of: "a")
        #expect(shown() == ["Moonshine tiny 0.0.73"])
        board.setEngine(SpeechEngine(name: "PocketSphinx"), of: "a")
        #expect(shown() == ["PocketSphinx"])
        board.setEngine(SpeechEngine(recipient: "wyoming:tcp://example.org:10300\u{1B}[2J"), of: "a")
        #expect(shown().first??.contains("\u{1B}") == false)
        // A sound that is waited for is recognised by nothing.
        board.setEngine(.ofService, of: "a")
        board.setEngine(SpeechEngine(name: "Late"), of: "b")
        #expect(shown() == [nil])
    }

    @Test("a stream has the current state, each change, and the changes that time makes")
    func changes() async {
        var states = board.states(for: .person(1000)).makeAsyncIterator()
        #expect(await states.next() == IndicatorReply(sessions: []))
        begin("theirs", user: 1001)
        begin("a")
        #expect(await reads(&states, ["a now foreground"]))
        board.end("a", hasListened: true)
        #expect(await reads(&states, ["a lately foreground"]))
        clock.advance(by: 16)
        #expect(await reads(&states, []))
        #expect(board.reply(to: .person(1001)).sessions.map(\.session) == ["theirs"])
    }

    @Test(
        "a session whose device does not close stays, says so, and goes when the device has closed, also if it was before"
    )
    func held() {
        begin("a")
        board.setHeld(["mic"])
        board.end("a", hasListened: true, isDeviceHeld: true)
        let shown = board.reply(to: .person(1000)).sessions
        #expect(shown.map(\.isRunning) == [true])
        #expect(shown.first?.held == true)
        #expect(shown.first?.sentence { _ in "" }.contains("does not close") == true)
        board.setHeld([])
        #expect(board.reply(to: .person(1000)).sessions.map(\.isRunning) == [false])
        begin("b")
        board.end("b", hasListened: true, isDeviceHeld: true)
        #expect(board.reply(to: .person(1000)).sessions.map(\.isRunning) == [false, false])
    }

    @Test("a client that goes to the background is shown in the background")
    func background() async {
        let presence = Mutex(Presence.foreground)
        begin("a", presence: { presence.withLock(\.self) })
        var states = board.states(for: .person(1000)).makeAsyncIterator()
        #expect(await reads(&states, ["a now foreground"]))
        presence.withLock { $0 = .background }
        let ticking = Task {
            while !Task.isCancelled {
                clock.advance(by: 0.5)
                await Task.yield()
            }
        }
        #expect(await reads(&states, ["a now background"]))
        ticking.cancel()
    }

    @Test("a reader that does not read blocks no other, and later gets only the newest state")
    func slowReader() async {
        var states = board.states(for: .person(1000)).makeAsyncIterator()
        for number in 0..<1000 {
            begin("\(number)")
            board.end("\(number)", hasListened: false)
        }
        begin("last")
        #expect(await states.next()?.sessions.map(\.session) == ["last"])
    }

    @Test("a mute is shown to those whom it concerns, with the program that muted to its user only")
    func muted() async {
        var (own, other) = (
            board.states(for: .person(1000)).makeAsyncIterator(), board.states(for: .person(1001)).makeAsyncIterator()
        )
        #expect(await own.next()?.muted == false)
        #expect(await other.next()?.muted == false)
        var mutes = Mutes()
        mutes[.user(1000)] = Mute(.user(1000), user: 1000, program: "/usr/bin/socat")
        board.setMutes(mutes)
        #expect(await own.next()?.mutedBy == MutedBy(scope: .user, program: "/usr/bin/socat"))
        mutes[.everyone] = Mute(.everyone, user: 1000, program: "/usr/bin/socat")
        board.setMutes(mutes)
        // The first state since: the other user's mute was not one.
        #expect(await other.next()?.mutedBy == MutedBy(scope: .everyone))
        #expect(board.reply(to: .person(1000)).mutedBy?.scope == .user)
    }

    @Test("the file is replaced atomically, only this user can read it, and a link in its place is not followed")
    func file() async throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("untouched", to: "target")
        let path = folder.path + "/indicator.json"
        try FileManager.default.createSymbolicLink(atPath: path + ".new", withDestinationPath: target)
        let file = IndicatorFile(path: path)
        for _ in 0..<2 { try await file.write(IndicatorBar(IndicatorReply(sessions: []), timeZone: .gmt)) }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bar = try JSONCoding.decoder().decode(
            IndicatorBar.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(bar.class == "idle")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "untouched")
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        await file.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
        let nowhere = IndicatorFile(path: folder.path + "/missing/indicator.json")
        let error = await #expect(throws: ServiceError.self) {
            try await nowhere.write(IndicatorBar(IndicatorReply(sessions: []), timeZone: .gmt))
        }
        #expect(error?.code == .indicatorFile)
        #expect(error?.message.contains("--indicator-file") == true)
    }
}
