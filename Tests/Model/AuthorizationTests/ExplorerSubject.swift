@testable import Authorization

/// What somebody said about a permission, in order.
enum Saying {
    /// By an operation, or else by an answer.
    case limit(Rights, by: Int?)
    case grant(Rights)
    case once(ProcessIdentity)
    case onceIsOver(ProcessIdentity)
}

/// What a run knows of one permission.
struct Subject {
    /// What was stored when the gate began, and counts.
    var base: Rights
    /// The same, whether or not it counts.
    var stored: Rights
    private(set) var sayings: [Saying] = []
    /// A denial or a withdrawal was said.
    private(set) var isRevoked = false
    var isDenied: Bool
    /// What durable grants were bound to.
    var agreements: [Agreement]
    /// A write of it failed.
    var hasFailed = false
    /// The log was altered, so its grant does not count.
    var isDropped = false

    init(_ beginning: Decision?) {
        base = Rights(beginning)
        stored = base
        isDenied = beginning?.verdict == .denied
        agreements = beginning?.terms.map { [$0.agreed] } ?? []
    }

    mutating func say(_ saying: Saying) {
        if case .limit(Rights(), _) = saying { isRevoked = true }
        sayings.append(saying)
    }

    /// A new gate reads what is stored.
    mutating func restart(with stored: Decision?) {
        base = Rights(stored)
        self.stored = base
        sayings = []
        (hasFailed, isDropped) = (false, false)
    }

    /// The log was altered.
    mutating func drop() {
        base = Rights()
        isDropped = true
    }

    /// The most that may be permitted after what was said: a limit remains until a grant after it.
    func allowed() -> Rights { allowed(from: base) { _ in true } }

    /// The most that may be stored.
    ///
    /// - Parameter hasSucceeded: leaves out the limits whose operation has not.
    func storable(_ hasSucceeded: (Int) -> Bool) -> Rights {
        allowed(from: stored) { operation in operation.map(hasSucceeded) == true }
    }

    private func allowed(from base: Rights, counting counts: (Int?) -> Bool) -> Rights {
        sayings.reduce(base) { allowed, saying in
            switch saying {
            case .limit(let limit, let operation): counts(operation) ? allowed.lowered(to: limit) : allowed
            case .grant(let rights): allowed.joined(rights)
            case .once, .onceIsOver: allowed
            }
        }
    }

    func isOnceAllowed(_ process: ProcessIdentity) -> Bool {
        for saying in sayings.reversed() {
            switch saying {
            case .once(process): return true
            case .onceIsOver(process), .limit(Rights(), _): return false
            default: break
            }
        }
        return false
    }
}

/// How much a decision permits; each part is 0 without a grant.
struct Rights: Hashable {
    var scope = 0
    var fidelity = 0

    init() {}

    init(_ scope: Scope, _ fidelity: Fidelity) {
        self.scope = scope == .always ? 2 : 1
        self.fidelity = fidelity == .full ? 2 : 1
    }

    init(_ decision: Decision?) {
        if let terms = decision?.terms { self.init(terms.scope, terms.fidelity) } else { self.init() }
    }

    func exceeds(_ other: Rights) -> Bool { scope > other.scope || fidelity > other.fidelity }

    func joined(_ other: Rights) -> Rights {
        var joined = self
        joined.scope = max(scope, other.scope)
        joined.fidelity = max(fidelity, other.fidelity)
        return joined
    }

    func lowered(to other: Rights) -> Rights {
        var lowered = self
        lowered.scope = min(scope, other.scope)
        lowered.fidelity = min(fidelity, other.fidelity)
        return lowered
    }
}
