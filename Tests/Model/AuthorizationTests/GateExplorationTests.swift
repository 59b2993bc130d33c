import TestSupport
import Testing

@testable import Authorization

@Suite("Every interleaving")
struct GateExplorationTests {
    @Test("no order of two operations and a failed write leaves a lease, the book and the log in disagreement")
    func everyPair() async {
        await Exploration.expectNoProblems("pairs", in: Scene.pairs + Scene.widenings)
    }

    @Test("nor does an order of three operations that change what is permitted")
    func everyTriple() async { await Exploration.expectNoProblems("triples", in: Scene.triples) }

    @Test("nothing that one user does changes what another is permitted, except a mute of everyone and a policy")
    func twoUsers() async { await Exploration.expectNoProblems("users", in: Scene.users) }

    @Test(
        "an answer about both resources and a decision about one of them prevail in the order in which they are given")
    func twoKeys() async { await Exploration.expectNoProblems("keys", in: Scene.keys) }

    @Test("what one process is allowed once is neither used by another of the client nor ended by its end")
    func twoProcesses() async { await Exploration.expectNoProblems("processes", in: Scene.processes) }

    @Test("before the log is verified no grant is used, and what is said meanwhile counts afterwards")
    func unverifiedLog() async { await Exploration.expectNoProblems("unverified", in: Scene.unverified) }

    /// A defect, the operations that show it, and how the explorer names it.
    private static let oldFaults: [(fault: Fault, scene: Scene, problem: String)] = [
        (
            .denialAfterItsRecord, Scene(.whileInUse, [.deny, .use]),
            "full notRequested shared with [] is in force after less was said"
        ),
        (
            .denialAfterItsRecord, Scene(.whileInUse, [.deny, .use]),
            "used stores whileInUse full notRequested shared with [] over a denial"
        ),
        (.resetOfWhatIsInForce, Scene(.nothing, [.allow, .reset]), "a restart would permit"),
        (.expiryOfASnapshot, Scene(.whileInUse, [.expire, .deny]), "expired stores nothing over a denial"),
    ]

    @Test("the explorer finds the defects that the gate had", arguments: oldFaults.indices)
    func oldDefects(_ index: Int) async {
        let (fault, scene, problem) = Self.oldFaults[index]
        let problems = await Exploration.problems(of: scene, with: fault)
        #expect(problems.keys.contains { $0.contains(problem) }, "\(problems)")
        #expect(await Exploration.problems(of: scene, with: nil).isEmpty)
    }

    /// A defect, the scene that shows it, its part with one user, one resource, one process or a verified log, which does
    /// not, and how the explorer names it.
    private static let faults: [(fault: Fault, scene: Scene, part: Scene, problem: String)] = [
        (
            .muteOfAllUsers, Scene(.whileInUse, [Operation.muteUser.by(.other), Operation.use.by(.first)]),
            Scene(.whileInUse, [.muteUser, .use]), "another user's mute ended a lease"
        ),
        (
            .denialForAllUsers, Scene(.whileInUse, [Operation.deny.by(.other), Operation.use.by(.first)]),
            Scene(.whileInUse, [.deny, .use]), "a lease ended without a denial of its permission"
        ),
        (
            .denialForAllResources, Scene(.whileInUse, [Operation.deny.on(.microphone), Operation.use.by(.first)]),
            Scene(.whileInUse, [.deny, .use]), "a lease ended without a denial of its permission"
        ),
        (
            .answersOneAfterTheOther,
            Scene(.always, [Operation.quietMoment.by(.first), Operation.deny.on(.microphone)]),
            Scene(.always, [.quietMoment, .deny]), "is in force after less was said"
        ),
        (
            .answersUpToAFailure,
            Scene(.always, [Operation.quietMoment.by(.first), Operation.widen.on(.microphone)], failures: 1),
            Scene(.always, [.quietMoment, .widen], failures: 1), "memory has a denial for none by none"
        ),
        (
            .onceForAllProcesses, Scene(.once, [Operation.use.by(.second)]), Scene(.once, [.use]),
            "allowed once after less was said"
        ),
        (
            .endOfAllProcesses, Scene(.once, [Operation.use.by(.first), Operation.processEnds.by(.second)]),
            Scene(.once, [.use, .processEnds]), "the end of another process ended a lease"
        ),
        (
            .trustBeforeVerification,
            Scene(.whileInUse, [Operation.use, .verify].map { $0.by(.first) }, log: .unverified),
            Scene(.whileInUse, [.use]), "a lease lives before the log is verified"
        ),
        (
            .mutesAsVerified, Scene(.whileInUse, [Operation.mute, .verify].map { $0.by(.first) }, log: .unreadable),
            Scene(.whileInUse, [.mute]), "not muted"
        ),
    ]

    @Test(
        "the explorer finds defects that need two users, two resources, two processes or an unverified log",
        arguments: faults.indices)
    func furtherDefects(_ index: Int) async {
        let (fault, scene, part, problem) = Self.faults[index]
        let problems = await Exploration.problems(of: scene, with: fault)
        #expect(problems.keys.contains { $0.contains(problem) }, "\(problems)")
        #expect(await Exploration.problems(of: scene, with: nil).isEmpty)
        #expect(await Exploration.problems(of: part, with: fault).isEmpty)
    }
}
