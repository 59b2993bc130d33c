import TestSupport

@testable import Authorization

/// What is explored in each run of the tests; more in `make soak`.
extension Scene {
    /// One process of one user about one permission: each two operations, an operation also beside itself, from each beginning
    /// that they read; in `make soak` from all.
    static var pairs: [Scene] {
        let areMany = Repetitions.areMany
        return Beginning.allCases.flatMap { beginning in
            Operation.single.pairs.filter { areMany || isRead(beginning, by: $0) }.map {
                Scene(beginning, $0, failures: 1)
            }
        }
    }

    /// Whether the operations may take other steps from there than from `whileInUse`.
    private static func isRead(_ beginning: Beginning, by pair: [Operation]) -> Bool {
        let neutral: Set<Operation> = [
            .leave, .deny, .reset, .expire, .restrict, .lift, .mute, .unmute, .widen, .restart, .processEnds,
            .staysAway,
        ]
        return switch beginning {
        // The gate reads both only for these.
        case .muted: pair.contains { $0.isOfProcess || [.quietMoment, .mute, .unmute].contains($0) }
        case .restricted: pair.contains { $0.isOfProcess || [.quietMoment, .restrict, .lift].contains($0) }
        // Nor do the gate's other operations read how much is granted, or whether it was asked about.
        case .reduced, .always: pair.contains { !neutral.contains($0) }
        case .provisional: pair.contains { [.quietMoment, .requestAlways].contains($0) }
        case .nothing, .once, .whileInUse, .denied: true
        }
    }

    /// What can be answered after a manifest has declared more, beside a use.
    static var widenings: [Scene] {
        [Beginning.whileInUse, .always, .provisional].flatMap { beginning in
            [Operation.request, .allow, .deny, .quietMoment, .requestAlways, .restart].map {
                Scene(beginning, [.widen, $0, .use])
            }
        }
    }

    /// Each three different operations that change what is permitted; in `make soak` also an operation beside itself.
    static var triples: [Scene] {
        let areMany = Repetitions.areMany
        let changing: [Operation] =
            [.allow, .lower, .deny, .reset, .expire, .quietMoment, .use, .mute, .restart]
            + (areMany ? [.request, .requestAlways, .restrict, .lowerWithin, .processEnds, .staysAway] : [])
        return (areMany ? Beginning.allCases : [.always]).flatMap { beginning in
            changing.triples.filter { areMany || Set($0).count == 3 }.map {
                Scene(beginning, $0, failures: areMany ? 1 : 0)
            }
        }
    }

    /// "Later" stores nothing; what it does is explored with one process.
    private static let storing: Set<Answer> = [.whileInUse, .always, .once, .deny]

    /// One operation of each user. Which user does which makes no difference.
    static var users: [Scene] {
        func scenes(_ beginning: Beginning, _ operations: [Operation], failures: Int) -> [Scene] {
            operations.pairs.map { pair in
                Scene(
                    beginning, [pair[0].by(.first), pair[1].by(.other)], failures: failures, answers: storing)
            }
        }
        return scenes(.whileInUse, [.allow, .deny], failures: 1)
            + scenes(
                .whileInUse, [.allow, .lower, .deny, .reset, .expire, .use, .mute, .muteUser, .restrict, .restart],
                failures: 0)
            + scenes(.once, [.use, .deny, .processEnds, .staysAway, .muteUser], failures: 0)
            + scenes(.always, [.quietMoment, .deny, .use, .muteUser], failures: 0)
            + [Operation.allow, .deny, .muteUser, .processEnds].map {
                Scene(.nothing, [Operation.request.by(.first), $0.by(.other)], answers: storing)
            }
    }

    /// One operation about each resource, one question about both, and one request of both.
    static var keys: [Scene] {
        let single = [Operation.allow, .lower, .deny, .reset, .expire, .use].pairs.map { pair in
            Scene(.whileInUse, [pair[0].by(.first), pair[1].on(.microphone)])
        }
        let other: [Operation] = [.allow, .lower, .deny, .reset, .expire, .use, .mute, .restrict, .widen, .restart]
        let joint = [Beginning.always, .provisional].flatMap { beginning in
            other.map {
                Scene(
                    beginning, [Operation.quietMoment.by(.first), $0.on(.microphone)],
                    failures: $0 == .widen || $0 == .deny ? 1 : 0, answers: storing)
            }
        }
        let beside = [Operation.lower, .deny, .reset].map {
            Scene(
                .always, [Operation.quietMoment.by(.first), $0.on(.microphone), Operation.use.by(.first)],
                answers: storing)
        }
        // Every answer is explored with a request of one.
        func both(_ act: Act, _ answers: Set<Answer>) -> Scene {
            Scene(.nothing, [Operation.requestBoth.by(.first), act], answers: answers)
        }
        let sequences =
            [Operation.allow, .deny, .reset, .use].flatMap { operation in
                Resource.allCases.map { both(operation.on($0), [.whileInUse]) }
            }
            + [Operation.mute, .processEnds, .use, .deny].map { both($0.by(.first), [.whileInUse, .once]) }
        return single + joint + beside + sequences
    }

    /// Two processes of one client of one user.
    static var processes: [Scene] {
        let (use, request) = (Operation.use, Operation.request)
        let endings = [Operation.processEnds.by(.first), Operation.processEnds.by(.second)]
        let uses = [use.by(.first), use.by(.second)]
        let requests = [request.by(.first), request.by(.second)]
        var scenes = [Scene(.nothing, requests, failures: 1), Scene(.reduced, uses, failures: 1)]
        scenes += [Operation.processEnds, .leave, .deny, .use].map {
            Scene(.nothing, requests + [$0.by(.first)], answers: storing)
        }
        scenes.append(Scene(.nothing, [request.by(.first), endings[0], use.by(.second)], answers: storing))
        let onOnce = endings + [Operation.staysAway, .deny, .reset, .allow].map { $0.by(.first) }
        scenes += onOnce.map { Scene(.once, uses + [$0], failures: 1) }
        scenes += endings.map { Scene(.once, [request.by(.second), use.by(.first), $0], answers: storing) }
        scenes += [Operation.deny, .lower, .expire, .muteUser, .processEnds].map {
            Scene(.whileInUse, uses + [$0.by(.first)])
        }
        let temporary = Operation.temporaryFidelity
        scenes += [temporary.by(.second), use.by(.second)].map { Scene(.reduced, [temporary.by(.first), $0]) }
        scenes += endings.map { Scene(.reduced, [temporary.by(.first), use.by(.second), $0]) }
        return scenes
    }

    /// The end of the verification beside other operations.
    static var unverified: [Scene] {
        [Operation.verify, .findAltered].flatMap { end -> [Scene] in
            func scene(_ beginning: Beginning, _ operations: [Operation], _ failures: Int, _ log: LogState) -> Scene {
                Scene(
                    beginning, ([end] + operations).map { $0.by(.first) }, failures: failures, log: log,
                    answers: storing)
            }
            let changing: [Operation] = [.allow, .lowerWithin, .deny, .reset, .use, .restart]
            let muting: [Operation] = [.mute, .unmute, .muteUser, .unmuteUser, .use, .restart]
            return Operation.single.map { scene(.whileInUse, [$0], 1, .unverified) }
                + [Operation.quietMoment, .lower, .requestAlways, .use].map { scene(.always, [$0], 1, .unverified) }
                + [Operation.request, .allow, .reset, .use].map { scene(.denied, [$0], 1, .unverified) }
                + changing.pairs.map { scene(.whileInUse, $0, 0, .unverified) }
                + muting.pairs.map { scene(.whileInUse, $0, 0, .unreadable) }
                + muting.map { scene(.muted, [$0], 1, .unreadable) }
        }
    }
}

extension [Operation] {
    /// Each two, also an operation beside itself.
    fileprivate var pairs: [[Operation]] { indices.flatMap { first in self[first...].map { [self[first], $0] } } }

    /// Each three.
    fileprivate var triples: [[Operation]] {
        indices.flatMap { first in Array(self[first...]).pairs.map { [self[first]] + $0 } }
    }
}
