@testable import Authorization

/// How the gate must stand, told another way than it is built: a list of what happened, searched from its end.
struct ReferenceModel {
    enum Event {
        case yes(DecisionKey, sha256: String, Scope, Fidelity)
        case no(DecisionKey)
        case forgotten(DecisionKey)
        case once(DecisionKey, ProcessIdentity, sha256: String, Fidelity)
        case temporaryFull(DecisionKey, ProcessIdentity)
        case leaseBegun(String, DecisionKey, ProcessIdentity, Scope, Fidelity)
        case leaseEnded(String)
        case processEnded(ProcessIdentity)
        /// What is restricted from now on.
        case policy(Set<DecisionKey>)
        case muted
        case unmuted
        case upgradeRequested(DecisionKey)
        case upgradeShown(DecisionKey)
        case restarted
    }

    private(set) var history: [Event] = []
    /// How long each yes has gone unused, counted along and not computed from moments.
    var idle = IdleTimes()

    mutating func append(_ event: Event) {
        history.append(event)
        // What lies before the last restart only matters as decisions; this keeps long runs quick.
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

    /// The yes that is stored, whatever program it is for.
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
        if holdsYes(key, requester) || onceState(key, requester) != nil { return .authorized }
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
        storedYes(key)?.sha256 == requester.caller.executable.sha256 && idle.holds(key)
    }

    enum OnceState { case ready(Fidelity), inUse }

    /// How the process stands with a yes for one session.
    func onceState(_ key: DecisionKey, _ requester: Requester) -> OnceState? {
        let (process, sha256) = (requester.caller.process, requester.caller.executable.sha256)
        var isProcessOver = false
        var running: String?
        for event in history.reversed() {
            switch event {
            case .leaseBegun(let lease, key, process, .once, _):
                // However it ended, the single use is over.
                guard live(lease) != nil else { return nil }
                running = lease
            case .processEnded(process): isProcessOver = true
            case .once(key, process, sha256, let fidelity):
                if running != nil { return .inUse }
                return isProcessOver ? nil : .ready(fidelity)
            // A later answer of the same process takes the place of an earlier one.
            case .once(key, process, _, _), .restarted, .yes(key, _, _, _), .no(key), .forgotten(key): return nil
            default: break
            }
        }
        return nil
    }

    /// What a session may stand on now, or `nil` when none may begin.
    func terms(_ resource: Resource, _ requester: Requester) -> (scope: Scope, fidelity: Fidelity)? {
        let key = requester.key(for: resource)
        guard status(resource, requester) == .authorized else { return nil }
        let temporarilyFull = hasTemporaryFull(key, requester.caller.process)
        if holdsYes(key, requester), let yes = storedYes(key) {
            return (yes.scope, temporarilyFull ? .full : yes.fidelity)
        }
        guard case .ready(let fidelity) = onceState(key, requester) else { return nil }
        return (.once, temporarilyFull ? .full : fidelity)
    }

    func hasTemporaryFull(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool {
        guard key.resource == .speechRecognition else { return false }
        for event in history.reversed() {
            switch event {
            case .temporaryFull(key, process): return true
            case .leaseBegun(_, key, process, _, _), .processEnded(process), .restarted, .no(key), .forgotten(key):
                return false
            case .yes(key, _, _, let fidelity) where fidelity == .reduced: return false
            default: break
            }
        }
        return false
    }

    /// What a lease allows now, or `nil` when it must have ended.
    func live(_ lease: String) -> (scope: Scope, fidelity: Fidelity)? {
        var scopeIsLowered = false
        var fidelityIsLowered = false
        var keys: [DecisionKey] = []
        var restricted: [Set<DecisionKey>] = []
        var ending = Set<DecisionKey>()
        var lowersScope = Set<DecisionKey>()
        var lowersFidelity = Set<DecisionKey>()
        for event in history.reversed() {
            switch event {
            case .leaseEnded(lease), .restarted, .muted: return nil
            case .no(let key), .forgotten(let key): ending.insert(key)
            case .policy(let keys): restricted.append(keys)
            case .yes(let key, _, let scope, let fidelity):
                if scope == .whileInUse { lowersScope.insert(key) }
                if fidelity == .reduced { lowersFidelity.insert(key) }
            case .leaseBegun(lease, let key, _, let scope, let fidelity):
                keys.append(key)
                guard !ending.contains(key), !restricted.contains(where: { $0.contains(key) }) else { return nil }
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
