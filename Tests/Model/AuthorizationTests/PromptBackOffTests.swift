import Base
import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("Delays after repeated prompts", .timeLimit(.minutes(1)))
struct PromptBackOffTests {
    private let client = PromptBackOff.Client(user: 1000, client: Samples.identifier("org.example.Editor"))
    private let other = PromptBackOff.Client(user: 1000, client: Samples.identifier("org.example.Other"))

    private func moment(_ seconds: Int64) -> Moment {
        Moment(boot: "b", sinceBoot: seconds * 1000, wall: 0)
    }

    @Test(
        "the next prompt waits longer with each prompt without a decision",
        arguments: zip(0...10, [nil, nil, 5, 15, 45, 120, 300, 600, 600, 600, 600] as [Int64?]))
    func delays(undecided: Int, seconds: Int64?) {
        var backOff = PromptBackOff(delays: GateConfiguration().promptDelays)
        for _ in 0..<undecided { backOff.ended(nil, of: client, at: moment(100)) }
        #expect(backOff.wait(of: client, at: moment(100)) == seconds)
        if let seconds {
            #expect(backOff.wait(of: client, at: moment(100 + seconds - 1)) == 1)
            #expect(backOff.wait(of: client, at: moment(100 + seconds)) == nil)
        }
        #expect(backOff.wait(of: other, at: moment(100)) == nil)
    }

    @Test("later does not count as a decision", arguments: Answer.allCases)
    func answers(answer: Answer) {
        var backOff = PromptBackOff(delays: GateConfiguration().promptDelays)
        for _ in 0..<4 { backOff.ended(nil, of: client, at: moment(0)) }
        backOff.ended(answer, of: client, at: moment(0))
        #expect(backOff.wait(of: client, at: moment(0)) == (answer == .later ? 120 : nil))
    }

    @Test("a clock set back does not shorten the delay")
    func clock() {
        var backOff = PromptBackOff(delays: GateConfiguration().promptDelays)
        for _ in 0..<3 { backOff.ended(nil, of: client, at: moment(1000)) }
        #expect(backOff.wait(of: client, at: moment(1)) == 15)
    }

    @Test("a flooding client is not forgotten because others flood too")
    func bounded() {
        var backOff = PromptBackOff(delays: GateConfiguration().promptDelays)
        for _ in 0..<3 { backOff.ended(nil, of: client, at: moment(0)) }
        for number in 0..<5000 {
            let one = PromptBackOff.Client(user: 1000, client: Samples.identifier("org.example.c\(number)"))
            backOff.ended(nil, of: one, at: moment(0))
        }
        #expect(backOff.wait(of: client, at: moment(0)) == 15)
    }

    @Test(
        "a flooding client's third prompt is shown only after the delay, nothing is allowed, and other clients are not delayed"
    )
    func gate() async throws {
        let clock = FloodClock()
        var configuration = GateConfiguration()
        configuration.now = { Moment(boot: "b", sinceBoot: clock.milliseconds, wall: 0) }
        let agent = StandInAgent { _ in .later }
        let ledger = RecordingLedger()
        let gate = try await Gate(ledger: ledger, agent: agent, configuration: configuration)
        let requester = Samples.requester()
        for count in 1...2 {
            #expect(await gate.request(.microphone, for: requester).refusal?.code == .notDetermined)
            #expect(agent.prompts.count == count)
        }
        let refused = await gate.request(.microphone, for: requester)
        #expect(refused.status == .notDetermined)
        #expect(refused.refusal?.code == .tooManyRequests)
        #expect(refused.refusal?.message.contains("5 s") == true)
        // Asking for the other resource does not avoid the limit.
        #expect(await gate.request(.speechRecognition, for: requester).refusal?.code == .tooManyRequests)
        #expect(agent.prompts.count == 2)
        #expect(
            await gate.request(.microphone, for: Samples.requester("org.example.Other")).refusal?.code == .notDetermined
        )
        #expect(agent.prompts.count == 3)
        clock.advance(5000)
        #expect(await gate.request(.microphone, for: requester).refusal?.code == .notDetermined)
        #expect(agent.prompts.count == 4)
        #expect(await gate.request(.microphone, for: requester).refusal?.message.contains("15 s") == true)
        #expect(await gate.status(of: .microphone, for: requester) == .notDetermined)
        #expect(!ledger.eventNames.contains("granted"))
    }

    private func copy(_ number: Int, sha256: String, user: UInt32 = 1000) -> Requester {
        let program = Executable(path: "/home/alice/tool\(number)", device: 1, inode: UInt64(number), sha256: sha256)
        return Requester(
            caller: Caller(
                process: ProcessIdentity(processIdentifier: 100 + Int32(number), startTime: 1), user: user,
                executable: program),
            client: Client(unregistered: program, using: Samples.manifest()), presence: .foreground)
    }

    @Test("copies with other names are one program: denied once, it is not asked about again; a grant is not for them")
    func copies() async throws {
        let agent = StandInAgent { _ in .deny }
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent)
        for number in 1...5 {
            #expect(await gate.request(.microphone, for: copy(number, sha256: "ab")).status == .denied)
        }
        #expect(agent.prompts.count == 1)
        // Names that differ in characters that no identifier has are not one program.
        let other = Executable(path: "/home/alice/t_o_o_l1", device: 1, inode: 9, sha256: "cd")
        #expect(Client(unregistered: other).identifier != copy(1, sha256: "ab").client.identifier)
    }

    @Test(
        "other bytes for each try bring no more prompts than one program does, whatever the person answers, but a grant",
        arguments: [Answer.later, .deny, .once])
    func budget(answer: Answer) async throws {
        let clock = FloodClock()
        var configuration = GateConfiguration()
        configuration.now = { Moment(boot: "b", sinceBoot: clock.milliseconds, wall: 0) }
        let agent = StandInAgent { _ in answer }
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent, configuration: configuration)
        for number in 1...40 { _ = await gate.request(.microphone, for: copy(number, sha256: "a\(number)")) }
        #expect(agent.prompts.count == (answer == .once ? 40 : 2))
        guard answer != .once else { return }
        #expect(await gate.request(.microphone, for: copy(50, sha256: "b")).refusal?.code == .tooManyRequests)
        // Neither clients with a manifest nor other users wait for it.
        _ = await gate.request(.microphone, for: Samples.requester())
        _ = await gate.request(.microphone, for: copy(1, sha256: "a1", user: 1001))
        #expect(agent.prompts.count == 4)
        clock.advance(5000)
        for number in 51...60 { _ = await gate.request(.microphone, for: copy(number, sha256: "c\(number)")) }
        #expect(agent.prompts.count == 5)
    }

    @Test("programs without a manifest that ask at the same time get two prompts")
    func atOnce() async throws {
        let agent = StandInAgent()
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent)
        let waiting = [1, 2].map { number in
            Task { await gate.request(.microphone, for: copy(number, sha256: "a\(number)")) }
        }
        await agent.hasShown(2)
        #expect(await gate.request(.microphone, for: copy(3, sha256: "a3")).refusal?.code == .tooManyRequests)
        #expect(agent.prompts.count == 2)
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.value }
    }

    @Test("a client that repeatedly cancels its requests is delayed too")
    func withdrawn() async throws {
        let agent = StandInAgent()
        var configuration = GateConfiguration()
        configuration.now = { Moment(boot: "b", sinceBoot: 0, wall: 0) }
        let gate = try await Gate(ledger: RecordingLedger(), agent: agent, configuration: configuration)
        let requester = Samples.requester()
        for count in 1...2 {
            let task = Task { await gate.request(.microphone, for: requester) }
            await agent.hasShown(count)
            task.cancel()
            _ = await task.value
        }
        #expect(await gate.request(.microphone, for: requester).refusal?.code == .tooManyRequests)
        #expect(agent.prompts.count == 2)
    }

    @Test("a permission that is repeatedly withdrawn and granted causes no delay")
    func decided() async throws {
        let gate = try await Gate(ledger: RecordingLedger(), agent: StandInAgent { _ in .once })
        for _ in 0..<10 {
            let requester = Samples.requester()
            #expect(await gate.request(.microphone, for: requester).status == .authorized)
            let grant = try await gate.microphoneGrant(for: requester)
            await gate.finish(grant.lease)
        }
    }
}

private final class FloodClock: @unchecked Sendable {
    // Safe: guarded by the lock.
    private let lock = NSLock()
    private var value: Int64 = 0

    var milliseconds: Int64 { lock.withLock { value } }
    func advance(_ milliseconds: Int64) { lock.withLock { value += milliseconds } }
}
