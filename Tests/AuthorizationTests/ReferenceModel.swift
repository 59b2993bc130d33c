import Authorization

/// How the gate must stand, told another way than it is built: a list of what happened, searched from its end.
struct ReferenceModel {
    enum Event {
        case yes(DecisionKey, sha256: String)
        case no(DecisionKey)
        case forgotten(DecisionKey)
        case once(DecisionKey, ProcessIdentity, sha256: String)
        case onceBegun(DecisionKey)
        case onceEnded(DecisionKey)
        case restarted
    }

    var history: [Event] = []
    var restricted: Set<DecisionKey> = []

    func status(_ resource: Resource, _ requester: Requester) -> AuthorizationStatus {
        let key = requester.key(for: resource)
        if restricted.contains(key) { return .restricted }
        var onceIsOver = false
        for event in history.reversed() {
            switch event {
            case .yes(key, let sha256):
                return sha256 == requester.caller.executable.sha256 ? .authorized : .notDetermined
            case .no(key): return .denied
            case .forgotten(key): return .notDetermined
            case .restarted, .onceEnded(key): onceIsOver = true
            case .once(key, let process, let sha256) where !onceIsOver:
                if process == requester.caller.process && sha256 == requester.caller.executable.sha256 {
                    return .authorized
                }
            default: break
            }
        }
        return .notDetermined
    }

    /// Whether a single use is running, which gives no second grant.
    func isInUseOnce(_ key: DecisionKey) -> Bool {
        for event in history.reversed() {
            switch event {
            case .onceBegun(key): return true
            case .yes(key, _), .no(key), .forgotten(key), .once(key, _, _), .onceEnded(key), .restarted: return false
            default: break
            }
        }
        return false
    }
}
