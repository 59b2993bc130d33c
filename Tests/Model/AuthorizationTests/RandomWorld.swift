import Authorization
import Base
import Foundation
import Synchronization
import TestSupport
import Testing

/// A gate with clients that come, go and are put in the background, a person who answers at random, clocks that are set,
/// and a disk that fails; beside it the reference model.
struct RandomWorld {
    /// A session with one lease.
    struct Session {
        let lease: Lease
        let requester: Requester
    }

    let ledger = RecordingLedger()
    let clock = WorldClock()
    let answers = AnswerBox()
    var gate: Gate
    var model = ReferenceModel()
    var sessions: [Session] = []
    var random: SeededGenerator
    var background: Set<ProcessIdentity> = []
    /// Start times by process identifier, which another process has when its process has ended.
    private var starts: [Int32: UInt64] = [:]
    var boots = 0
    /// How often a resource was asked about again after its review interval.
    var reviews = 0
    /// How many of the ledger's events the model knows.
    var absorbed = 0
    /// Counts the operations, for messages.
    var place = 0
    /// The disk fails during this operation, so its outcome is not the usual one.
    var isFailing = false
    /// What settings allow this time.
    var settingsSHA256 = ""

    static let base = ["a.b", "c.d"].flatMap { client in
        [Int32(1), 2].flatMap { process in
            ["aa", "bb"].map { Samples.requester(client, process: process, sha256: $0, phrases: ["yes", "no"]) }
        }
    }

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        gate = try await Self.gate(ledger, answers, clock)
    }

    static func gate(_ ledger: RecordingLedger, _ answers: AnswerBox, _ clock: WorldClock) async throws -> Gate {
        var configuration = GateConfiguration()
        configuration.now = { clock.now }
        // Many of the random answers are not offered; how often somebody is asked has its own tests.
        configuration.promptDelays = []
        configuration.reviewInterval = ReferenceModel.reviewInterval
        return try await Gate(ledger: ledger, agent: answers.agent, configuration: configuration)
    }

    func presence(_ process: ProcessIdentity) -> Presence { background.contains(process) ? .background : .foreground }

    mutating func someone() -> Requester { current(Self.base[Int.random(in: 0..<Self.base.count, using: &random)]) }

    /// The process that has the identifier now.
    private func current(_ base: Requester) -> Requester {
        let identifier = base.caller.process.processIdentifier
        let process = ProcessIdentity(processIdentifier: identifier, startTime: starts[identifier] ?? 1)
        return Requester(
            caller: Caller(process: process, user: base.caller.user, executable: base.caller.executable),
            client: base.client, presence: presence(process))
    }

    mutating func end(_ process: ProcessIdentity) async {
        starts[process.processIdentifier] = process.startTime + 1
        await gate.processEnded(process)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// The service ends, however it ends, and the next one reads what it left.
    mutating func restart() async throws {
        ledger.recover()
        sessions = []
        gate = try await Self.gate(ledger, answers, clock)
        model.append(.restarted)
        model.restarted(at: clock.now)
        // Policies are the files', which a new service reads again.
        try await put(Set(Self.keys.filter(model.isRestricted)))
        absorb()
    }

    /// Tells the model what was acknowledged as durable, and nothing else.
    ///
    /// - Returns: the decisions among it.
    @discardableResult
    mutating func absorb() -> [LedgerEvent] {
        let news = Array(ledger.events[absorbed...])
        absorbed += news.count
        for event in news { absorb(event) }
        return news.filter(Self.isDecision)
    }

    private static func isDecision(_ event: LedgerEvent) -> Bool {
        switch event {
        case .granted, .renewed, .denied, .decidedInSettings, .withdrawn: true
        default: false
        }
    }

    private mutating func absorb(_ event: LedgerEvent) {
        let now = clock.now
        switch event {
        case .noticeShown(let prompt, _) where prompt.question == .upgradeToAlways:
            let key = prompt.requester.key(for: prompt.resource)
            model.append(.upgradeShown(key))
            model.amended(key, at: now)
        case .noticeShown(let prompt, _) where prompt.question == .review:
            let key = prompt.requester.key(for: prompt.resource)
            model.amended(key, at: now)
            model.reviewAsked.happened(key, at: now)
            reviews += 1
        case .granted(let prompt, let scope, let fidelity, _, _),
            .renewed(let prompt, let scope, let fidelity, _, _, _):
            absorb(prompt, scope, fidelity)
        case .denied(let prompt, _, _):
            model.append(.no(prompt.requester.key(for: prompt.resource)))
        case .decidedInSettings(let key, _, let terms?, _, _):
            model.append(.yes(key, sha256: settingsSHA256, terms.scope, terms.fidelity))
            model.append(.upgradeShown(key))
            model.confirmed(key, at: now)
            model.idle.happened(key, at: now)
        case .decidedInSettings(let key, _, nil, _, _):
            model.append(.no(key))
        case .withdrawn(let key, _, _, _):
            model.append(.forgotten(key))
        case .expired(let key, _):
            if model.isInUse(key) { Issue.record("a grant ended before its time, at operation \(place)") }
            model.append(.forgotten(key))
        case .upgradeRequested(let requester, let resource):
            model.append(.upgradeRequested(requester.key(for: resource)))
            model.amended(requester.key(for: resource), at: now)
        case .used(let key):
            model.amended(key, at: now)
            model.idle.happened(key, at: now)
        case .muted: model.append(.muted)
        case .unmuted: model.append(.unmuted)
        default: break
        }
    }

    private mutating func absorb(_ prompt: Prompt, _ scope: Scope, _ fidelity: Fidelity) {
        let (requester, key) = (prompt.requester, prompt.requester.key(for: prompt.resource))
        switch prompt.question {
        case .temporaryFullFidelity:
            model.append(.temporaryFull(key, requester.caller.process))
        case .firstUse, .identityChanged, .termsWidened:
            if scope == .once {
                model.append(
                    .once(
                        key, requester.caller.process, sha256: requester.caller.executable.sha256, fidelity))
                return
            }
            model.append(.yes(key, sha256: requester.caller.executable.sha256, scope, fidelity))
            model.confirmed(key, at: clock.now)
            model.idle.happened(key, at: clock.now)
        case .upgradeToAlways, .review:
            guard let yes = model.storedYes(key) else { return }
            model.append(.yes(key, sha256: yes.sha256, scope, fidelity))
            model.append(.upgradeShown(key))
            model.idle.store(key)
            model.amended(key, at: clock.now)
            model.confirmed(key, at: clock.now)
        }
    }

    mutating func put(_ restricted: Set<DecisionKey>) async throws {
        let rules = restricted.map {
            PolicyRule(resource: $0.resource, client: $0.client, user: nil, reason: nil)
        }
        try await gate.apply(Policy(rules: rules), source: PolicyProvenance(files: [:], broken: [:]))
        model.append(.policy(restricted))
    }

    static let keys = Set(base.flatMap { requester in Resource.allCases.map { requester.key(for: $0) } })

    /// The two invariants, and that the gate says what the model says.
    func check(_ place: String) async {
        for base in Self.base {
            let requester = current(base)
            for resource in Resource.allCases {
                let status = await gate.status(of: resource, for: requester)
                let expected = model.status(resource, requester)
                if status != expected {
                    Issue.record("\(place): \(requester.client.identifier) \(resource) \(status), not \(expected)")
                }
            }
        }
        for session in sessions {
            let live = model.live(session.lease.identifier)
            if session.lease.isLive != (live != nil) {
                Issue.record("\(place): a lease is \(session.lease.isLive ? "live" : "over"), which it should not be")
            }
            guard let live, session.lease.isLive else { continue }
            if model.isRestricted(session.lease.key) || model.isMuted {
                Issue.record("\(place): a live lease under a policy")
            }
            if session.lease.scope != live.scope || session.lease.fidelity != live.fidelity {
                Issue.record("\(place): a lease allows \(session.lease.scope) \(session.lease.fidelity), not \(live)")
            }
        }
    }
}

/// The two clocks of a random sequence.
final class WorldClock: Sendable {
    private let state: Mutex<Moment>

    init() { state = Mutex(Moment(boot: "boot-0", sinceBoot: 1_000, wall: 1_800_000_000_000)) }

    var now: Moment { state.withLock { $0 } }

    func pass(_ milliseconds: Int64) {
        state.withLock {
            $0 = Moment(boot: $0.boot, sinceBoot: $0.sinceBoot + milliseconds, wall: $0.wall + milliseconds)
        }
    }

    func setWall(by milliseconds: Int64) {
        state.withLock { $0 = Moment(boot: $0.boot, sinceBoot: $0.sinceBoot, wall: $0.wall + milliseconds) }
    }

    func reboot(number: Int, off milliseconds: Int64) {
        state.withLock { $0 = Moment(boot: "boot-\(number)", sinceBoot: 0, wall: $0.wall + milliseconds) }
    }
}

/// The next answer of the person in a random sequence; `nil` means that the agent fails.
final class AnswerBox: Sendable {
    private let state = Mutex<Answer?>(nil)

    struct NoAnswer: Error {}

    var next: Answer? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var agent: any Agent { BoxAgent(box: self) }

    private struct BoxAgent: Agent {
        let box: AnswerBox

        func ask(_ prompt: Prompt) async throws -> AgentReply {
            guard let answer = box.next else { throw NoAnswer() }
            return AgentReply(answer: answer, indication: .scriptedAgent)
        }
    }
}
