import Base
import Foundation
import Synchronization
import TestSupport

@testable import Authorization

/// A gate with all that a story is about: clients, a person, a ledger that can fail, clocks.
actor StoryWorld {
    /// The person's answers by the question, or by `any`.
    final class Answers: Sendable {
        private let answers = Mutex<[String: Answer]>([:])

        func to(_ prompt: Prompt) -> Answer? {
            answers.withLock { $0[prompt.question.kind.rawValue] ?? $0["any"] }
        }

        /// - Returns: whether each word is an answer.
        func set(_ words: Words) -> Bool {
            var named = words.values.compactMapValues(Answer.init)
            guard named.count == words.values.count else { return false }
            named["any"] = named["any"] ?? words.first(Answer.self)
            answers.withLock { $0 = named }
            return !named.isEmpty || words.has("nothing")
        }
    }

    /// What prepares a gate before it begins.
    private static let preparing: Set = [
        "answers", "away", "client", "collector", "delays", "engine", "forbidden", "has", "hide", "logged", "pass",
        "reboot",
        "stored", "unverified", "wall",
    ]

    private(set) lazy var ledger = RecordingLedger(decisions: stored)
    let clock = WorldClock()
    let answers = Answers()
    let agent: StandInAgent
    var configuration = GateConfiguration.unhindered
    var stored: [Decision] = []
    /// When the gate begins.
    var policy = Policy()
    var isVerified = true
    var declarations: [String: Words] = [:]
    var clients: [String: Requester] = [:]
    private var running: Gate?
    var leases: [String: Lease] = [:]
    var tasks: [String: Task<String, Never>] = [:]
    /// How many of them have ended.
    var ended = 0
    var refusal: AuthorizationError?
    let timeout = Latch<Void>()
    /// The first write of a kind.
    var held: (begun: Latch<Void>, released: Latch<Void>)?
    /// Those that a step has listed.
    private var (listedPrompts, listedRecords) = (0, 0)
    private var listedChanges: [UInt32: ChangeCursor] = [:]

    init() {
        agent = StandInAgent { [answers] in answers.to($0) }
        let (clock, timeout) = (clock, timeout)
        configuration.now = { clock.now }
        configuration.sleep = { _ in
            guard await timeout.value(within: nil) != nil else { throw CancellationError() }
        }
    }

    var gate: Gate {
        guard let running else { preconditionFailure("no gate has begun") }
        return running
    }

    /// Begins the service's gate, or the next one, which reads what the last one left.
    func start() async throws {
        let gate = try await Gate(
            ledger: ledger, agent: agent, policy: policy, isVerified: isVerified, configuration: configuration)
        running = gate
        for user in [1000, 1001] as [UInt32] { listedChanges[user] = gate.history.last(ofUser: user) }
    }

    func take(_ step: Story.Step) async -> String {
        if running == nil, !Self.preparing.contains(Words(step.action).verb) {
            do { try await start() } catch { return "failed to begin: \(error)" }
        }
        if step.action.hasPrefix("until ") {
            guard let expected = step.expected else { return "unknown end of until" }
            return await until(String(step.action.dropFirst(6)), expected)
        }
        return await outcome(of: step.action)
    }

    /// Waits until the action comes to this.
    private func until(_ action: String, _ expected: String) async -> String {
        let start = ContinuousClock.now
        while true {
            let outcome = await outcome(of: action)
            if Story.matches(outcome, expected) || start.duration(to: .now) > .seconds(30) { return outcome }
            await Task.yield()
        }
    }

    /// What an action comes to; `name: action` only begins it.
    func outcome(of action: String) async -> String {
        if let colon = action.range(of: ": ") {
            let (name, rest) = (String(action[..<colon.lowerBound]), String(action[colon.upperBound...]))
            if name.hasSuffix(" times"), let count = Int(name.dropLast(6)) {
                var outcomes: [String] = []
                for number in 1...count {
                    outcomes.append(await outcome(of: rest.replacingOccurrences(of: "{n}", with: "\(number)")))
                }
                return Set(outcomes).count == 1 ? outcomes[0] : outcomes.joined(separator: ", ")
            }
            tasks[name] = Task {
                defer { ended += 1 }
                return await outcome(of: rest)
            }
            return "begun"
        }
        do {
            return try await perform(Words(action))
        } catch let error as AuthorizationError {
            refusal = error
            return "refused \(error.code)"
        } catch is RecordingLedger.Failure {
            return "failed"
        } catch is CancellationError {
            return "cancelled"
        } catch {
            return "failed: \(error)"
        }
    }

    /// Ends what has not ended.
    func end() async {
        held?.released.set()
        for task in tasks.values { task.cancel() }
        for task in tasks.values { _ = await task.value }
    }

    /// A decision of the client about the resource, made and used now.
    func decision(_ words: Words) -> Decision {
        let (requester, resource) = (requester(words), words.resource ?? .microphone)
        let terms = Terms(
            scope: words.first(Scope.self) ?? .whileInUse, upgrade: words.first(Upgrade.self) ?? .asked,
            fidelity: words.first(Fidelity.self) ?? .full, usedAt: clock.now,
            reviewedAt: clock.now.after(words.values["reviewed"].map(Words.milliseconds) ?? 0),
            agreed: requester.client.declared(resource, in: .english) ?? Agreement())
        let isDenial = words.has("denied")
        return Decision(
            key: requester.key(for: resource), verdict: isDenial ? .denied : .authorized,
            program: isDenial ? nil : AllowedProgram(requester.caller.executable), terms: isDenial ? nil : terms,
            indication: .settings, decidedAt: WorldClock().now.date, record: 0)
    }

    static func policy(_ words: Words) throws -> Policy {
        guard !words.has("nothing") else { return Policy() }
        let hours = words.list("hours").compactMap { Int($0) }
        let window = hours.count == 2 ? PolicyHours.Window(start: hours[0] * 60, end: hours[1] * 60) : nil
        let rule = PolicyRule(
            resource: words.resource, client: words.values["of"].map { Samples.identifier("org.example.\($0)") },
            user: nil,
            hours: window.map { PolicyHours(windows: [$0], days: []) }, reason: words.values["reason"])
        return Policy(rules: [rule], timeZone: .gmt)
    }

    // MARK: What is new

    func newPrompts() -> [Prompt] {
        let prompts = agent.prompts
        defer { listedPrompts = prompts.count }
        return Array(prompts[listedPrompts...])
    }

    func newRecords() -> [String] {
        let names = ledger.eventNames
        defer { listedRecords = names.count }
        return Array(names[listedRecords...])
    }

    /// `nil` if the history no longer has them.
    func newChanges(_ user: UInt32) async -> [AuthorizationUpdate]? {
        let history = gate.history
        guard let listed = listedChanges[user], history.last(ofUser: user) != listed else { return [] }
        guard case .updates(let updates) = await history.updates(ofUser: user, after: listed) else { return nil }
        listedChanges[user] = history.last(ofUser: user)
        return updates
    }

    /// Holds the first write of this kind until it is released.
    func hold(_ kind: String) {
        let (begun, released) = (Latch<Void>(), Latch<Void>())
        held = (begun, released)
        ledger.onWrite { event in
            guard kind == "any" || Mirror(reflecting: event).children.first?.label == kind else { return }
            begun.set()
            await released.value
        }
    }
}

extension Moment {
    fileprivate func after(_ milliseconds: Int64) -> Moment {
        Moment(boot: boot, sinceBoot: sinceBoot + milliseconds, wall: wall + milliseconds)
    }
}
