import Foundation
import Synchronization
import TestSupport

@testable import Authorization

/// One run of some operations on one gate: what may happen next, and what must be true after each step.
final class ExplorerWorld {
    enum Step: Hashable {
        case begin(Int)
        case complete
        case completeAll
        case fail
        case look
        case answer(Answer)
    }

    static let start = WorldClock().now
    static let day: Int64 = 86_400_000
    static let requester = Samples.requester(phrases: ["yes"])
    private static let widened = Samples.requester(phrases: ["yes"], recipients: ["Example GmbH"])
    static let changed = Samples.requester(sha256: "bb", phrases: ["yes"])
    /// The package manager replaced the program.
    static let replaced = Requester(
        caller: Caller(
            process: requester.caller.process, user: 1000,
            executable: Executable(path: "/usr/bin/editor", device: 1, inode: 3, sha256: "cc", isPackageManaged: true)),
        client: requester.client, presence: .foreground)
    static let key = requester.key(for: .speechRecognition)
    /// Another user of the gate.
    static let other = Samples.requester(user: 1001, process: 101).caller
    /// The client as its manifest declares it now.
    var requester: Requester { isWidened ? Self.widened : Self.requester }
    static let policy = Policy(rules: [PolicyRule(resource: nil, client: nil, user: nil, reason: nil)])

    let stepper: Stepper
    let operations: [Operation]
    let agent = HeldAgent()
    let clock = WorldClock()
    let disk: HeldDisk
    var ledgers: [HeldLedger]
    var gate: Gate
    var begun: [Int: Running] = [:]
    /// What was stored when the gate began.
    var base: Rights
    var sayings: [Saying] = []
    private var failures: Int
    var hasFailed = false
    var isMuted: Bool
    var isRestricted: Bool
    var isDenied = false
    var isProcessOver = false
    var isWidened = false
    /// What durable grants were bound to.
    private(set) var agreements: [Agreement] = []
    /// A defect that this gate has.
    let fault: Fault?
    var problems: [String] = []
    private var events: [TraceEvent] = []

    /// What happened; described only for a run with a problem.
    private enum TraceEvent {
        case step(Step)
        case durable(LedgerEvent)
    }

    var trace: String {
        events.compactMap { event in
            switch event {
            case .step(.begin(let number)): operations[number].rawValue
            case .step(.fail): "a write fails"
            case .step(.look): "can be shown"
            case .step(.answer(let answer)): "answer \(answer)"
            case .step(.complete), .step(.completeAll): nil
            case .durable(let event): "\(name(event)) is durable"
            }
        }.joined(separator: ", ")
    }

    func name(_ event: LedgerEvent) -> String {
        Mirror(reflecting: event).children.first?.label ?? "\(event)"
    }

    /// - Parameter failures: how many writes may fail.
    init(
        _ stepper: Stepper, _ beginning: Beginning, _ operations: [Operation], failures: Int, fault: Fault? = nil
    ) {
        self.fault = fault
        self.stepper = stepper
        self.operations = operations
        self.failures = failures
        let decision = Decision(
            key: Self.key, verdict: beginning.terms == nil ? .denied : .authorized,
            program: beginning.terms == nil ? nil : AllowedProgram(Self.requester.caller.executable),
            terms: beginning.terms, indication: .terminal, decidedAt: Self.start.date, record: 0)
        base = beginning.isUndecided ? Rights() : Rights(decision)
        isMuted = beginning == .muted
        isRestricted = beginning == .restricted
        isDenied = beginning == .denied
        var decisions = beginning.isUndecided ? [] : [decision]
        if beginning.terms != nil, operations.contains(.expire) {
            // It expires before the other, whose expiry then waits for this one's. Nothing is asked about it.
            var terms = beginning.terms
            terms?.scope = .whileInUse
            terms?.upgrade = .asked
            decisions.append(
                Decision(
                    key: Self.requester.key(for: .microphone), verdict: .authorized, program: decision.program,
                    terms: terms, indication: .terminal, decidedAt: Self.start.date, record: 0))
        }
        agreements = decisions.compactMap(\.terms?.agreed)
        disk = HeldDisk(decisions: decisions, mutes: isMuted ? .unknown : Mutes())
        ledgers = [HeldLedger(disk)]
        gate = Self.gate(stepper, ledgers[0], agent, clock, isRestricted)
        if beginning == .once { allowOnce() }
        clock.pass(2 * Self.day)
    }

    private func allowOnce() {
        let (gate, requester) = (gate, Self.requester)
        Task.detached { await gate.request(.speechRecognition, for: requester) }
        stepper.settle()
        while ledger.waitingCount > 0 || !agent.looking.isEmpty || !agent.shown.isEmpty {
            if ledger.waitingCount > 0 { _ = ledger.complete() }
            if !agent.looking.isEmpty { agent.look() }
            if let prompt = agent.shown.first { agent.answer(.once, to: prompt) }
            stepper.settle()
        }
        sayings = [.once]
    }

    static func gate(
        _ stepper: Stepper, _ ledger: HeldLedger, _ agent: HeldAgent, _ clock: WorldClock, _ isRestricted: Bool
    ) -> Gate {
        var configuration = GateConfiguration.unhindered
        configuration.now = { clock.now }
        configuration.sleep = sleepUntilCancelled
        let identifiers = Mutex<Int>(0)
        configuration.newIdentifier = { "\(identifiers.next())" }
        let made = configuration
        let gate = Latch<Gate>()
        Task.detached {
            do {
                gate.set(
                    try await Gate(
                        ledger: ledger, agent: agent, policy: isRestricted ? policy : Policy(), configuration: made))
            } catch {
                preconditionFailure("\(error)")
            }
        }
        stepper.settle()
        while true {
            if let gate = gate.reason { return gate }
            // A gate records what expired before it serves anybody.
            _ = ledger.complete()
            stepper.settle()
        }
    }

    // MARK: Steps

    var ledger: HeldLedger { ledgers[ledgers.count - 1] }

    /// What may happen next.
    var steps: [Step] {
        var steps = operations.indices.filter { begun[$0] == nil }.map { Step.begin($0) }
        let waiting = ledger.waitingCount
        if waiting > 0 { steps.append(.complete) }
        if waiting > 1 { steps.append(.completeAll) }
        if waiting > 0, failures > 0 { steps.append(.fail) }
        if !agent.looking.isEmpty { steps.append(.look) }
        if let prompt = agent.shown.first { steps += prompt.answers.map { .answer($0) } }
        return steps
    }

    /// - Parameter isChecked: another run took the same steps until here, and checked what must be true after each.
    func take(_ step: Step, isChecked: Bool) {
        events.append(.step(step))
        switch step {
        case .begin(let number): begin(number)
        case .complete:
            complete()
        case .completeAll:
            for _ in 0..<ledger.waitingCount { complete() }
        case .fail:
            failures -= 1
            hasFailed = true
            ledger.fail()
        case .look:
            agent.look()
        case .answer(let answer):
            guard let prompt = agent.shown.first else { return }
            note(answer, to: prompt)
            agent.answer(answer, to: prompt)
        }
        stepper.settle()
        if !isChecked { check() }
    }

    private func note(_ answer: Answer, to prompt: Prompt) {
        let before = Rights(decision)
        switch answer {
        case .deny:
            isDenied = true
            sayings.append(.limit(Rights(), by: nil))
        case .whileInUse:
            sayings.append(.limit(Rights(.whileInUse, .full), by: nil))
            let full = !prompt.question.waitsForQuietMoment || before.fidelity == 2
            sayings.append(.grant(Rights(.whileInUse, full ? .full : .reduced)))
        case .always: sayings.append(.grant(Rights(.always, before.fidelity == 2 ? .full : .reduced)))
        case .once: sayings.append(.once)
        case .later: break
        }
    }

    private func complete() {
        let before = disk.replay
        let entry = ledger.complete()
        events.append(.durable(entry.event))
        let (old, new) = (before.decisions[Self.key], disk.replay.decisions[Self.key])
        if let terms = new?.terms { agreements.append(terms.agreed) }
        let isRight =
            switch entry.event {
            case .denied, .decidedInSettings(_, .denied, _, _, _): new?.verdict == .denied
            case .decidedInSettings(_, .authorized, let terms?, _, _): new?.terms == terms
            case .granted(_, .once, _, _, _): old == new
            case .granted(_, let scope, let fidelity, _, _), .renewed(_, let scope, let fidelity, _, _, _):
                Rights(new) == Rights(scope, fidelity)
            case .withdrawn(Self.key, _, _, _): new == nil
            // A denial does not expire.
            case .expired(Self.key, _): new == nil && old?.verdict == .authorized
            default: Rights(old) == Rights(new) && old?.verdict == new?.verdict
            }
        if !isRight { problem("\(name(entry.event)) stores \(describe(new)) over \(describe(old))") }
    }

    /// Ends everything that still waits.
    func end() {
        while !agent.looking.isEmpty || !agent.shown.isEmpty || ledgers.contains(where: { $0.waitingCount > 0 }) {
            agent.leave()
            for ledger in ledgers where ledger.waitingCount > 0 { ledger.fail() }
            stepper.settle()
        }
    }
}

extension Mutex<Int> {
    fileprivate borrowing func next() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
