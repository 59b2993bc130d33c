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

    @Test("programs without a manifest whose names differ in characters that no identifier has are not one program")
    func names() {
        func client(_ path: String, _ sha256: String) -> ClientIdentifier {
            Client(unregistered: Executable(path: path, device: 1, inode: 9, sha256: sha256)).identifier
        }
        #expect(client("/home/alice/t_o_o_l1", "cd") != client("/home/alice/tool1", "ab"))
    }
}
