import Authorization
import Base
import Foundation
import TestSupport
import Testing
@testable import Authorization

@Suite("Random sequences")
struct GateRandomSequenceTests {
    /// A failure names the seed; this runs its sequence again.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["VOICEGATE_RANDOM_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
    }

    @Test("the gate agrees with the reference model; no frame without a live grant; a restriction overrides all")
    func matchesReference() async throws {
        let seed = Self.seed
        print("random sequence: seed \(seed), \(Repetitions.gateOperations) operations")
        var world = try await RandomWorld(seed: seed)
        for step in 0..<Repetitions.gateOperations {
            let operation = try await world.step()
            await world.check("seed \(seed), step \(step), \(operation)")
        }
        #expect(world.ledger.events.count > Repetitions.gateOperations / 20)
        #expect(world.reviews > Repetitions.gateOperations / 40_000, "reviews are asked")
    }
}

/// The expected state of the gate, built differently: a list of events, searched from its end.
struct ReferenceModel {
    enum Event {
        case yes(DecisionKey, sha256: String, Scope, Fidelity)
        case no(DecisionKey)
        case forgotten(DecisionKey)
        case once(DecisionKey, ProcessIdentity, sha256: String, Fidelity)
        case temporaryFull(DecisionKey, ProcessIdentity)
        case leaseBegun(String, DecisionKey, ProcessIdentity, sha256: String, Scope, Fidelity)
        case leaseEnded(String)
        case processEnded(ProcessIdentity)
        /// It was in the background for too long.
        case outOfUse(ProcessIdentity)
        /// What is restricted from now on.
        case policy(Set<DecisionKey>)
        case muted
        case unmuted
        case upgradeRequested(DecisionKey)
        case upgradeShown(DecisionKey)
        case restarted
    }

    private(set) var history: [Event] = []
    /// When each grant was last used, when the person last gave or confirmed it, and when they were asked about that since:
    /// counted instead of computed from moments.
    var idle = Ages()
    var reviewed = Ages()
    var reviewAsked = Ages()

    mutating func append(_ event: Event) {
        history.append(event)
        // Events before the last restart only matter as decisions; this keeps long runs quick.
        if history.count > 4_000 { history.removeFirst(2_000) }
    }

    var isMuted: Bool {
        for event in history.reversed() {
            switch event {
            case .muted: return true
            case .unmuted: return false
            default: break
            }
        }
        return false
    }

    func isRestricted(_ key: DecisionKey) -> Bool {
        for case .policy(let keys) in history.reversed() { return keys.contains(key) }
        return false
    }

    /// The stored grant, whatever program it is for.
    func storedYes(_ key: DecisionKey) -> (sha256: String, scope: Scope, fidelity: Fidelity)? {
        for event in history.reversed() {
            switch event {
            case .yes(key, let sha256, let scope, let fidelity): return (sha256, scope, fidelity)
            case .no(key), .forgotten(key): return nil
            default: break
            }
        }
        return nil
    }

    func status(_ resource: Resource, _ requester: Requester) -> AuthorizationStatus {
        let key = requester.key(for: resource)
        if isRestricted(key) || isMuted { return .restricted }
        if isDenied(key) { return .denied }
        if holdsYes(key, requester) || onceFidelity(key, requester) != nil { return .authorized }
        return .notDetermined
    }

    private func isDenied(_ key: DecisionKey) -> Bool {
        for event in history.reversed() {
            switch event {
            case .no(key): return true
            case .yes(key, _, _, _), .forgotten(key): return false
            default: break
            }
        }
        return false
    }

    private func holdsYes(_ key: DecisionKey, _ requester: Requester) -> Bool {
        storedYes(key)?.sha256 == requester.caller.executable.sha256 && isInUse(key)
    }

    /// The access of a process by a grant for one use.
    func onceFidelity(_ key: DecisionKey, _ requester: Requester) -> Fidelity? {
        let (process, sha256) = (requester.caller.process, requester.caller.executable.sha256)
        for event in history.reversed() {
            switch event {
            case .once(key, process, sha256, let fidelity): return fidelity
            // A later answer of the same process takes the place of an earlier one.
            case .once(key, process, _, _), .processEnded(process), .outOfUse(process), .restarted, .yes(key, _, _, _),
                .no(key), .forgotten(key):
                return nil
            default: break
            }
        }
        return nil
    }

    /// The grant that a session may use now, or `nil` if no session may begin.
    func terms(_ resource: Resource, _ requester: Requester) -> (scope: Scope, fidelity: Fidelity)? {
        let key = requester.key(for: resource)
        guard status(resource, requester) == .authorized else { return nil }
        let temporarilyFull = temporaryFull(key, requester.caller.process) == .waiting
        if holdsYes(key, requester), let yes = storedYes(key) {
            return (yes.scope, temporarilyFull ? .full : yes.fidelity)
        }
        guard let fidelity = onceFidelity(key, requester) else { return nil }
        return (.once, temporarilyFull ? .full : fidelity)
    }

    enum TemporaryFull { case waiting, used }

    /// Full fidelity that waits for the process's next session, or that one of its sessions has.
    func temporaryFull(_ key: DecisionKey, _ process: ProcessIdentity) -> TemporaryFull? {
        guard key.resource == .speechRecognition else { return nil }
        var lease: String?
        for event in history.reversed() {
            switch event {
            case .temporaryFull(key, process):
                guard let lease else { return .waiting }
                return live(lease) == nil ? nil : .used
            // The first session after it has it.
            case .leaseBegun(let next, key, process, _, _, _): lease = next
            case .processEnded(process), .restarted, .no(key), .forgotten(key): return nil
            case .yes(key, _, _, let fidelity) where fidelity == .reduced: return nil
            default: break
            }
        }
        return nil
    }

    /// What a lease allows now, or `nil` when it must have ended.
    func live(_ lease: String) -> (scope: Scope, fidelity: Fidelity)? {
        var scopeIsLowered = false
        var fidelityIsLowered = false
        var restricted: [Set<DecisionKey>] = []
        var ending = Set<DecisionKey>()
        var lowersScope = Set<DecisionKey>()
        var lowersFidelity = Set<DecisionKey>()
        var programs: [DecisionKey: Set<String>] = [:]
        var processesOver = Set<ProcessIdentity>()
        var outOfUse: [ProcessIdentity] = []
        for event in history.reversed() {
            switch event {
            case .leaseEnded(lease), .restarted, .muted: return nil
            case .no(let key), .forgotten(let key): ending.insert(key)
            case .policy(let keys): restricted.append(keys)
            case .yes(let key, let sha256, let scope, let fidelity):
                programs[key, default: []].insert(sha256)
                if scope == .whileInUse { lowersScope.insert(key) }
                if fidelity == .reduced { lowersFidelity.insert(key) }
            case .processEnded(let process): processesOver.insert(process)
            case .outOfUse(let process): outOfUse.append(process)
            case .leaseBegun(lease, let key, let process, let sha256, let scope, let fidelity):
                guard scope != .once || !processesOver.contains(process) else { return nil }
                guard scope != .once || !outOfUse.contains(process) else { return nil }
                guard !ending.contains(key), !restricted.contains(where: { $0.contains(key) }) else { return nil }
                // A grant that moved to another program ends sessions of the first; one use belongs to its process.
                guard scope == .once || programs[key, default: []].isSubset(of: [sha256]) else { return nil }
                scopeIsLowered = scope == .always && lowersScope.contains(key)
                fidelityIsLowered = lowersFidelity.contains(key)
                return (scopeIsLowered ? .whileInUse : scope, fidelityIsLowered ? .reduced : fidelity)
            default: break
            }
        }
        return nil
    }

    func upgrade(_ key: DecisionKey) -> Upgrade {
        for event in history.reversed() {
            switch event {
            case .upgradeShown(key): return .asked
            case .upgradeRequested(key): return .provisional
            case .yes(key, _, _, _), .no(key), .forgotten(key): return .notRequested
            default: break
            }
        }
        return .notRequested
    }
}

// MARK: Times

extension ReferenceModel {
    static let unusedLimit = 90 * Gate.day
    /// Short, because few grants for always last long here.
    static let reviewInterval = 3 * Gate.day

    /// Whether the grant was used recently enough to hold.
    func isInUse(_ key: DecisionKey) -> Bool { idle.age(key).map { $0 < Self.unusedLimit } ?? false }

    /// Whether to ask the person at the next quiet moment whether to keep the always. A time that is not known counts
    /// as over.
    func isReviewDue(_ key: DecisionKey) -> Bool {
        guard storedYes(key)?.scope == .always else { return false }
        return reviewed.age(key).map { $0 >= Self.reviewInterval } ?? true
            && reviewAsked.age(key).map { $0 >= Gate.day } ?? true
    }

    /// The person gave or confirmed the grant.
    mutating func confirmed(_ key: DecisionKey, at now: Moment) {
        reviewed.happened(key, at: now)
        reviewAsked.forget(key)
    }

    /// The grant was stored again for another reason, with its times as they are known now.
    mutating func amended(_ key: DecisionKey, at now: Moment) {
        idle.amended(key, at: now)
        reviewed.amended(key, at: now)
        reviewAsked.amended(key, at: now)
    }

    mutating func pass(_ milliseconds: Int64) {
        idle.pass(milliseconds)
        reviewed.pass(milliseconds)
        reviewAsked.pass(milliseconds)
    }

    mutating func restarted(at now: Moment) {
        idle.restarted(at: now)
        reviewed.restarted(at: now)
        reviewAsked.restarted(at: now)
    }
}

/// How long ago something happened with each grant, counted as time passes; across a reboot by the wall clock.
struct Ages {
    private struct Entry {
        /// `nil`: the clock was set back across a reboot by more than a day, so the time is unknown.
        var age: Int64?
        /// As it is stored.
        var boot: String
        /// As it is stored; `nil`: stored as unknown.
        var wall: Int64?
        /// As it would be stored now, where that is not the same.
        var anchored: Int64?

        mutating func pass(_ milliseconds: Int64) { age? += milliseconds }
    }

    private var stored: [DecisionKey: Entry] = [:]
    /// Later events, which are only in memory.
    private var noted: [DecisionKey: Entry] = [:]

    /// - Returns: `nil` if it is unknown, or never happened.
    func age(_ key: DecisionKey) -> Int64? { (noted[key] ?? stored[key])?.age }

    mutating func happened(_ key: DecisionKey, at now: Moment) {
        stored[key] = Entry(age: 0, boot: now.boot, wall: now.wall)
        noted[key] = nil
    }

    /// It happened, and is not recorded.
    mutating func noted(_ key: DecisionKey, at now: Moment) {
        noted[key] = Entry(age: 0, boot: now.boot, wall: now.wall)
    }

    /// Stores the events in memory with a decision.
    mutating func store(_ key: DecisionKey) {
        stored[key] = noted.removeValue(forKey: key) ?? stored[key]
    }

    mutating func forget(_ key: DecisionKey) { (stored[key], noted[key]) = (nil, nil) }

    mutating func amended(_ key: DecisionKey, at now: Moment) {
        guard let entry = stored[key] else { return }
        stored[key] = Entry(
            age: entry.age, boot: now.boot, wall: entry.age == nil ? nil : entry.anchored ?? entry.wall)
    }

    mutating func pass(_ milliseconds: Int64) {
        for key in stored.keys { stored[key]?.pass(milliseconds) }
        for key in noted.keys { noted[key]?.pass(milliseconds) }
    }

    mutating func restarted(at now: Moment) {
        noted = [:]
        for (key, entry) in stored where entry.boot != now.boot {
            let age = entry.wall.map { now.wall - $0 }
            // A clock that is a day behind at most counts as no time.
            stored[key]?.age = age.flatMap { $0 >= -Gate.day ? max($0, 0) : nil }
            stored[key]?.anchored = age.flatMap { (-Gate.day..<0).contains($0) ? now.wall : nil }
        }
    }
}
