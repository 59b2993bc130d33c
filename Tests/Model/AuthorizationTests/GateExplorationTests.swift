import TestSupport
import Testing

@testable import Authorization

/// Every order in which the parts of some operations can happen, found by running each order from its beginning.
struct Exploration: Sendable {
    private(set) var runs = 0
    private(set) var steps = 0
    /// Each problem with the first, and shortest, run that has it.
    private(set) var problems: [String: String] = [:]
    /// Problems by how many runs have them.
    private(set) var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - failures: how many writes may fail in a run.
    ///   - fault: a defect that the gate has.
    mutating func explore(
        _ stepper: Stepper, _ beginning: Beginning, _ operations: [Operation], failures: Int, fault: Fault? = nil
    ) {
        // The step taken at each place, and how many there were to choose from.
        var path: [(taken: Int, of: Int)] = []
        // The steps from the beginning that the run before took too: the same steps, whose results it has checked.
        var checked = 0
        repeat {
            let world = ExplorerWorld(stepper, beginning, operations, failures: failures, fault: fault)
            var place = 0
            while case let possible = world.steps, !possible.isEmpty {
                if place == path.count { path.append((0, possible.count)) }
                world.take(possible[path[place].taken], isChecked: place < checked)
                place += 1
                guard place < 200 else { preconditionFailure("a run has no end: \(world.trace)") }
            }
            world.checkEnd()
            world.end()
            note(world, beginning)
            runs += 1
            steps += place
            while let last = path.last, last.taken + 1 == last.of { path.removeLast() }
            if !path.isEmpty { path[path.count - 1].taken += 1 }
            checked = path.count - 1
        } while !path.isEmpty
    }

    private mutating func note(_ world: ExplorerWorld, _ beginning: Beginning) {
        for problem in Set(world.problems) {
            counts[problem, default: 0] += 1
            let trace = "from \(beginning): " + world.trace
            if trace.count < problems[problem]?.count ?? .max { problems[problem] = trace }
        }
    }
}

@Suite("Every interleaving")
struct GateExplorationTests {
    /// Each two operations, an operation also beside itself.
    private static let pairs = Operation.allCases.indices.flatMap { first in
        Operation.allCases[first...].map { [Operation.allCases[first], $0] }
    }

    /// Operations that change what is permitted; in `make soak` more.
    private static let changing: [Operation] =
        [.allow, .lower, .deny, .reset, .expire, .quietMoment, .use, .mute, .restart]
        + (Repetitions.areMany ? [.request, .requestAlways, .restrict, .lowerWithin, .processEnds, .staysAway] : [])

    /// Each three of them.
    private static let triples = changing.indices.flatMap { first in
        changing[first...].indices.flatMap { second in
            changing[second...].map { [changing[first], changing[second], $0] }
        }
    }

    /// What can be answered after a manifest has declared more, beside a use.
    private static let widenings = [Operation.request, .allow, .deny, .quietMoment, .requestAlways, .restart].map {
        [.widen, $0, .use]
    }

    private static func expect(_ exploration: Exploration, _ name: String, _ duration: Duration) {
        print("\(name): \(exploration.runs) interleavings, \(exploration.steps) steps in \(duration)")
        for (problem, trace) in exploration.problems.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(problem) (\(exploration.counts[problem] ?? 0) times): \(trace)")
        }
    }

    @Test("no order of two operations and a failed write leaves a lease, the book and the log in disagreement")
    func everyPair() async {
        let (exploration, duration) = await Stepper.run { stepper in
            var exploration = Exploration()
            let duration = ContinuousClock().measure {
                for beginning in Beginning.allCases {
                    for pair in Self.pairs { exploration.explore(stepper, beginning, pair, failures: 1) }
                }
                for beginning in [Beginning.whileInUse, .always, .provisional] {
                    for triple in Self.widenings {
                        exploration.explore(stepper, beginning, triple, failures: 0)
                    }
                }
            }
            return (exploration, duration)
        }
        Self.expect(exploration, "pairs", duration)
    }

    @Test("nor does an order of three operations that change what is permitted")
    func everyTriple() async {
        let (exploration, duration) = await Stepper.run { stepper in
            var exploration = Exploration()
            let duration = ContinuousClock().measure {
                for beginning in Repetitions.areMany ? Beginning.allCases : [.always] {
                    for triple in Self.triples {
                        exploration.explore(stepper, beginning, triple, failures: Repetitions.areMany ? 1 : 0)
                    }
                }
            }
            return (exploration, duration)
        }
        Self.expect(exploration, "triples", duration)
    }

    /// A defect, the operations that show it, and how the explorer names it.
    private static let faults: [(fault: Fault, from: Beginning, operations: [Operation], problem: String)] = [
        (
            .denialAfterItsRecord, .whileInUse, [.deny, .use],
            "full notRequested shared with [] is in force after less was said"
        ),
        (
            .denialAfterItsRecord, .whileInUse, [.deny, .use],
            "used stores whileInUse full notRequested shared with [] over a denial"
        ),
        (.resetOfWhatIsInForce, .nothing, [.allow, .reset], "a restart would permit"),
        (.expiryOfASnapshot, .whileInUse, [.expire, .deny], "expired stores nothing over a denial"),
        (.muteOfAllUsers, .whileInUse, [.otherMutes, .use], "another user's mute ended a lease"),
    ]

    @Test("the explorer finds the defects that the gate had", arguments: faults.indices)
    func oldDefects(_ index: Int) async {
        let (fault, beginning, operations, problem) = Self.faults[index]
        let (faulty, right) = await Stepper.run { stepper in
            var (faulty, right) = (Exploration(), Exploration())
            faulty.explore(stepper, beginning, operations, failures: 0, fault: fault)
            right.explore(stepper, beginning, operations, failures: 0)
            return (faulty, right)
        }
        #expect(faulty.problems.keys.contains { $0.contains(problem) }, "\(faulty.problems)")
        #expect(right.problems.isEmpty)
    }
}
