import Base
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
        /// To one of the prompts that are shown.
        case answer(Answer, to: Int)
    }

    /// How far the verification of the log is.
    enum Verification { case pending, intact, altered }

    static let start = WorldClock().now
    static let day: Int64 = 86_400_000
    static let changed = Samples.requester(sha256: "bb", phrases: ["yes"])
    /// The package manager replaced the program.
    static let replaced = Requester(
        caller: Caller(
            process: Party.first.process, user: Party.first.user,
            executable: Executable(path: "/usr/bin/editor", device: 1, inode: 3, sha256: "cc", isPackageManaged: true)),
        client: Party.first.requester.client, presence: .foreground)
    private static let widened = Samples.requester(phrases: ["yes"], recipients: ["Example GmbH"]).client
    static let policy = Policy(rules: [PolicyRule(resource: nil, client: nil, user: nil, reason: nil)])

    let stepper: Stepper
    let operations: [Act]
    let parties: [Party]
    let keys: [DecisionKey]
    let log: LogState
    let agent = HeldAgent()
    let clock = WorldClock()
    let disk: HeldDisk
    var ledgers: [HeldLedger]
    var gate: Gate
    var begun: [Int: Running] = [:]
    var subjects: [DecisionKey: Subject] = [:]
    /// What takes effect when the log is verified.
    var waitingSayings: [DecisionKey: [Saying]] = [:]
    var failures: Int
    let answers: Set<Answer>
    /// What is muted in any case.
    var muted: Set<MuteScope> = []
    /// What was ever muted.
    var mutesSaid: Set<MuteScope> = []
    /// What was muted or unmuted since the gate began.
    var muteChanges: Set<MuteScope> = []
    /// Those of which a write failed.
    var failedMutes: Set<MuteScope> = []
    var isRestricted: Bool
    var endedProcesses: Set<ProcessIdentity> = []
    var isWidened = false
    var verification: Verification
    let isTrustedAtOnce: Bool
    /// A defect that this gate has.
    let fault: Fault?
    var problems: [String] = []
    var events: [TraceEvent] = []

    /// What happened; described only for a run with a problem.
    enum TraceEvent {
        case step(Step)
        case durable(LedgerEvent)
    }

    var trace: String {
        events.compactMap { event in
            switch event {
            case .step(.begin(let number)): "\(operations[number])"
            case .step(.fail): "a write fails"
            case .step(.look): "can be shown"
            case .step(.answer(let answer, _)): "answer \(answer)"
            case .step(.complete), .step(.completeAll): nil
            case .durable(let event): "\(name(event)) is durable"
            }
        }.joined(separator: ", ")
    }

    func name(_ event: LedgerEvent) -> String {
        Mirror(reflecting: event).children.first?.label ?? "\(event)"
    }

    init(_ stepper: Stepper, _ scene: Scene, fault: Fault?) {
        let (beginning, operations) = (scene.beginning, scene.operations)
        self.fault = fault
        self.stepper = stepper
        self.operations = operations
        failures = scene.failures
        answers = scene.answers
        log = scene.log
        verification = log == .verified ? .intact : .pending
        isRestricted = beginning == .restricted
        var parties = [Party.first]
        for act in operations where !parties.contains(act.party) { parties.append(act.party) }
        self.parties = parties
        var keys = operations.map(\.key)
        keys += operations.filter { $0.operation == .requestBoth }.map { $0.party.requester.key(for: .microphone) }
        self.keys = Set(keys).sorted()
        var decisions: [Decision] = []
        for key in self.keys {
            let decision = Self.decision(key, beginning.terms)
            if !beginning.isUndecided { decisions.append(decision) }
            subjects[key] = Subject(beginning.isUndecided ? nil : decision)
        }
        let microphone = Party.first.requester.key(for: .microphone)
        if var terms = beginning.terms, operations.contains(Operation.expire.by(.first)), subjects[microphone] == nil {
            // It expires before the other, whose expiry then waits for this one's. Nothing is asked about it.
            terms.scope = .whileInUse
            terms.upgrade = .asked
            decisions.append(Self.decision(microphone, terms))
        }
        disk = HeldDisk(decisions: decisions, mutes: beginning == .muted ? .unknown : Mutes())
        ledgers = [HeldLedger(disk, hidesMutes: log == .unreadable)]
        isTrustedAtOnce = log == .verified || fault == .trustBeforeVerification
        gate = Self.gate(stepper, ledgers[0], agent, clock, isRestricted, isVerified: isTrustedAtOnce)
        if beginning == .muted || log == .unreadable { muted = [.everyone] }
        mutesSaid = muted
        if beginning == .once { allowOnce() }
        clock.pass(2 * Self.day)
    }

    private static func decision(_ key: DecisionKey, _ terms: Terms?) -> Decision {
        Decision(
            key: key, verdict: terms == nil ? .denied : .authorized,
            program: terms == nil ? nil : AllowedProgram(Party.first.requester.caller.executable),
            terms: terms, indication: .terminal, decidedAt: start.date, record: 0)
    }

    /// The party's client as its manifest declares it now.
    func requester(_ party: Party) -> Requester {
        guard isWidened else { return party.requester }
        return Requester(caller: party.requester.caller, client: Self.widened, presence: .foreground)
    }

    /// The first process of each user is allowed each of its keys once.
    private func allowOnce() {
        for party in parties where party != .second {
            for key in keys where key.user == party.user {
                let (gate, requester) = (gate, party.requester)
                Task.detached { await gate.request(key.resource, for: requester) }
                stepper.settle()
                while ledger.waitingCount > 0 || !agent.looking.isEmpty || !agent.shown.isEmpty {
                    if ledger.waitingCount > 0 { _ = ledger.complete() }
                    if !agent.looking.isEmpty { agent.look() }
                    if let prompt = agent.shown.first { agent.answer(.once, to: prompt) }
                    stepper.settle()
                }
                subjects[key]?.say(.once(party.process))
            }
        }
    }

    static func gate(
        _ stepper: Stepper, _ ledger: HeldLedger, _ agent: HeldAgent, _ clock: WorldClock, _ isRestricted: Bool,
        isVerified: Bool
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
                        ledger: ledger, agent: agent, policy: isRestricted ? policy : Policy(), isVerified: isVerified,
                        configuration: made))
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

    var ledger: HeldLedger { ledgers[ledgers.count - 1] }
}

extension Mutex<Int> {
    fileprivate borrowing func next() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
