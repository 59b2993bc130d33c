import TestSupport
import Testing

@testable import Authorization

/// A state in which interleavings begin, and the operations that take part.
struct Scene: Sendable {
    let beginning: Beginning
    let operations: [Act]
    /// How many writes may fail in a run.
    var failures = 0
    var log = LogState.verified
    var answers = Set(Answer.allCases)

    init(
        _ beginning: Beginning, _ operations: [Act], failures: Int = 0, log: LogState = .verified,
        answers: Set<Answer> = Set(Answer.allCases)
    ) {
        self.beginning = beginning
        self.operations = operations
        self.failures = failures
        self.log = log
        self.answers = answers
    }

    init(_ beginning: Beginning, _ operations: [Operation], failures: Int = 0) {
        self.init(beginning, operations.map { $0.by(.first) }, failures: failures)
    }
}

/// Every order in which the parts of some operations can happen, found by running each order from its beginning.
struct Exploration: Sendable {
    private(set) var runs = 0
    private(set) var steps = 0
    /// Each problem with the first, and shortest, run that has it.
    private(set) var problems: [String: String] = [:]
    /// Problems by how many runs have them.
    private(set) var counts: [String: Int] = [:]

    /// Prints how much there was, and reports what was found.
    static func expectNoProblems(_ name: String, in scenes: [Scene]) async {
        let (exploration, duration) = await Stepper.run { stepper in
            var exploration = Exploration()
            let duration = ContinuousClock().measure { for scene in scenes { exploration.explore(stepper, scene) } }
            return (exploration, duration)
        }
        let (runs, steps) = (exploration.runs, exploration.steps)
        print("\(name): \(scenes.count) scenes, \(runs) interleavings, \(steps) steps in \(duration)")
        for (problem, trace) in exploration.problems.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(problem) (\(exploration.counts[problem] ?? 0) times): \(trace)")
        }
    }

    /// What is found in a gate with the defect.
    static func problems(of scene: Scene, with fault: Fault?) async -> [String: String] {
        await Stepper.run { stepper in
            var exploration = Exploration()
            exploration.explore(stepper, scene, fault: fault)
            return exploration.problems
        }
    }

    private mutating func explore(_ stepper: Stepper, _ scene: Scene, fault: Fault? = nil) {
        // The step taken at each place, and how many there were to choose from.
        var path: [(taken: Int, of: Int)] = []
        // The steps from the beginning that the run before took too: the same steps, whose results it has checked.
        var checked = 0
        repeat {
            let world = ExplorerWorld(stepper, scene, fault: fault)
            var place = 0
            while case let possible = world.steps, !possible.isEmpty {
                if place == path.count { path.append((0, possible.count)) }
                world.take(possible[path[place].taken], isChecked: place < checked)
                place += 1
                guard place < 200 else { preconditionFailure("a run has no end: \(world.trace)") }
            }
            world.checkEnd()
            world.end()
            note(world, scene)
            runs += 1
            steps += place
            while let last = path.last, last.taken + 1 == last.of { path.removeLast() }
            if !path.isEmpty { path[path.count - 1].taken += 1 }
            checked = path.count - 1
        } while !path.isEmpty
    }

    private mutating func note(_ world: ExplorerWorld, _ scene: Scene) {
        for problem in Set(world.problems) {
            counts[problem, default: 0] += 1
            let trace = "from \(scene.beginning): " + world.trace
            if trace.count < problems[problem]?.count ?? .max { problems[problem] = trace }
        }
    }
}
