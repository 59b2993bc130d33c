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
