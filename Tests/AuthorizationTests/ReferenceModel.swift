import Authorization

/// How the gate must stand, told another way than it is built: a list of what happened, searched from its end.
struct ReferenceModel {
    enum Event {
        case yes(DecisionKey, sha256: String)
        case no(DecisionKey)
        case forgotten(DecisionKey)
        case once(DecisionKey, ProcessIdentity, sha256: String)
        case onceBegun(DecisionKey, ProcessIdentity, sha256: String, lease: String)
        case leaseEnded(String)
        case restarted
    }

    var history: [Event] = []
    var restricted: Set<DecisionKey> = []

    func status(_ resource: Resource, _ requester: Requester) -> AuthorizationStatus {
        let key = requester.key(for: resource)
        if restricted.contains(key) { return .restricted }
        let (process, sha256) = (requester.caller.process, requester.caller.executable.sha256)
        var onceIsOver = false
        var ended: Set<String> = []
        for event in history.reversed() {
            switch event {
            case .yes(key, let allowed): return allowed == sha256 ? .authorized : .notDetermined
            case .no(key): return .denied
            case .forgotten(key): return .notDetermined
            case .leaseEnded(let lease): ended.insert(lease)
            case .onceBegun(key, process, _, let lease) where ended.contains(lease): onceIsOver = true
            case .once(key, process, sha256) where !onceIsOver: return .authorized
            // A later answer of the same process takes the place of an earlier one.
            case .restarted, .once(key, process, _): onceIsOver = true
            default: break
            }
        }
        return .notDetermined
    }

    /// Whether what the requester stands on is a single use that runs, which gives no second grant.
    func isInUseOnce(_ resource: Resource, _ requester: Requester) -> Bool {
        let key = requester.key(for: resource)
        let (process, sha256) = (requester.caller.process, requester.caller.executable.sha256)
        var ended: Set<String> = []
        for event in history.reversed() {
            switch event {
            case .leaseEnded(let lease): ended.insert(lease)
            case .onceBegun(key, process, sha256, let lease): return !ended.contains(lease)
            case .yes(key, _), .no(key), .forgotten(key), .once(key, process, _), .restarted: return false
            default: break
            }
        }
        return false
    }
}
