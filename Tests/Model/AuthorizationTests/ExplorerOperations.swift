import Base
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
    /// One that concerns only the user.
    case muteUser, unmuteUser
    /// Speech recognition, then the microphone.
    case requestBoth
    /// The verification of the log ends: it is intact, or was altered.
    case verify, findAltered

    /// Those of one process about one permission, on a log that is verified.
    static let single = allCases.filter {
        ![.muteUser, .unmuteUser, .requestBoth, .verify, .findAltered].contains($0)
    }

    /// Whether the client's process does it, which then cannot be after its end.
    var isOfProcess: Bool {
        switch self {
        case .request, .requestOfChangedProgram, .temporaryFidelity, .requestAlways, .use, .useOfReplacedProgram,
            .staysAway, .requestBoth:
            true
        default: false
        }
    }

    func by(_ party: Party) -> Act { Act(operation: self, party: party) }

    func on(_ resource: Resource) -> Act { Act(operation: self, resource: resource) }
}

/// An operation of a party, about its permission for a resource.
struct Act: Hashable, CustomStringConvertible {
    let operation: Operation
    var party = Party.first
    var resource = Resource.speechRecognition

    var key: DecisionKey { party.requester.key(for: resource) }

    var description: String {
        operation.rawValue + (party == .first ? "" : " by the \(party)")
            + (resource == .speechRecognition ? "" : " of the microphone")
    }

    func by(_ party: Party) -> Act { Act(operation: operation, party: party, resource: resource) }
}

/// A process that runs the client.
enum Party {
    case first
    /// Of the same user.
    case second
    /// Of another user.
    case other

    private static let ofFirst = Samples.requester(phrases: ["yes"])
    private static let ofSecond = Samples.requester(process: 102, phrases: ["yes"])
    private static let ofOther = Samples.requester(user: 1001, process: 101, phrases: ["yes"])

    var requester: Requester {
        switch self {
        case .first: Self.ofFirst
        case .second: Self.ofSecond
        case .other: Self.ofOther
        }
    }

    var user: UInt32 { requester.caller.user }
    var process: ProcessIdentity { requester.caller.process }
}

/// The log that the gate begins with.
enum LogState {
    case verified
    /// It is verified while the gate serves.
    case unverified
    /// The same, and what is muted cannot be read before that.
    case unreadable
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

    /// To those of each client.
    private static let toPhrases = {
        var agreed = Agreement()
        agreed.phrases = ["yes"]
        return agreed
    }()

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
        case .reduced:
            Terms(scope: .whileInUse, fidelity: .reduced, usedAt: now, reviewedAt: now, agreed: Self.toPhrases)
        }
    }
}
