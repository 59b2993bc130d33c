import Synchronization
import TestSupport

@testable import Authorization

/// An operation on the gate that takes part in an interleaving.
enum Operation: String, CaseIterable {
    case request, requestOfChangedProgram, leave, temporaryFidelity
    case allow, allowAlways, lower, lowerWithin, deny, reset
    case expire, requestAlways, quietMoment
    case use, useOfReplacedProgram
    case restrict, lift, mute, unmute, restart
    /// The client's manifest declares another recipient.
    case widen
    case processEnds, staysAway
    /// Another user of the gate mutes.
    case otherMutes

    /// Whether the client's process does it, which then cannot be after its end.
    var isOfProcess: Bool {
        switch self {
        case .request, .requestOfChangedProgram, .temporaryFidelity, .requestAlways, .use, .useOfReplacedProgram,
            .staysAway:
            true
        default: false
        }
    }
}

/// What somebody said about the permission, in order.
enum Saying {
    /// By an operation, or else by an answer.
    case limit(Rights, by: Int?)
    case grant(Rights)
    case once
    case onceIsOver
}

/// What became of an operation.
final class Running: Sendable {
    let end = Latch<Bool>()
    let status = Mutex<AuthorizationStatus?>(nil)
    /// The client as it was when it took the lease.
    let client = Mutex<Client?>(nil)
    let lease = Mutex<Lease?>(nil)
    let task = Mutex<Task<Void, Never>?>(nil)
}

/// The state in which an interleaving begins. Grants were last used two days ago, so that their next use is recorded.
enum Beginning: String, CaseIterable {
    case nothing, once, whileInUse, provisional, always, reduced, denied, muted, restricted

    var isUndecided: Bool { self == .nothing || self == .once }

    var terms: Terms? {
        let now = ExplorerWorld.start
        return switch self {
        case .nothing, .once, .denied: nil
        case .whileInUse, .muted, .restricted: Terms(scope: .whileInUse, usedAt: now, reviewedAt: now)
        case .provisional: Terms(scope: .whileInUse, upgrade: .provisional, usedAt: now, reviewedAt: now)
        // Its review is due.
        case .always:
            Terms(
                scope: .always, upgrade: .asked, usedAt: now,
                reviewedAt: Moment(boot: now.boot, sinceBoot: now.sinceBoot - 40 * 86_400_000, wall: now.wall))
        case .reduced: Terms(scope: .whileInUse, fidelity: .reduced, usedAt: now, reviewedAt: now)
        }
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
