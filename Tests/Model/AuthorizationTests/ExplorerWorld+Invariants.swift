@testable import Authorization

/// What must be true after each step.
extension ExplorerWorld {
    var leases: [Lease] { begun.values.compactMap { $0.lease.withLock { $0 } } }

    /// The most that may be permitted after what was said: a limit remains until a grant after it.
    ///
    /// - Parameter answered: leaves out the limits whose operation has not succeeded.
    private func allowed(answered: Bool) -> Rights {
        sayings.reduce(base) { allowed, saying in
            switch saying {
            case .limit(let limit, let operation):
                answered && operation.flatMap { begun[$0]?.end.reason } != true ? allowed : allowed.lowered(to: limit)
            case .grant(let rights): allowed.joined(rights)
            case .once, .onceIsOver: allowed
            }
        }
    }

    private var isOnceAllowed: Bool {
        for saying in sayings.reversed() {
            switch saying {
            case .once: return true
            case .onceIsOver, .limit(Rights(), _): return false
            default: break
            }
        }
        return false
    }

    var decision: Decision? { stepper.value { [gate] in await gate.book[Self.key] } }

    func problem(_ text: String) { problems.append(text) }

    func describe(_ decision: Decision?) -> String {
        guard let decision else { return "nothing" }
        guard let terms = decision.terms else { return "a denial" }
        return "\(terms.scope) \(terms.fidelity) \(terms.upgrade) shared with \(terms.agreed.recipients ?? [])"
    }

    func check() {
        let (decision, standing, isMutedNow) = stepper.value { [gate, requester] in
            await (
                gate.book[Self.key], gate.standing(of: .speechRecognition, for: requester), gate.isMuted
            )
        }
        let replay = disk.replay
        let allowed = allowed(answered: false)
        if Rights(decision).exceeds(allowed) { problem("\(describe(decision)) is in force after less was said") }
        if isMuted, !isMutedNow { problem("not muted") }
        if isRestricted, standing.status != .restricted { problem("not restricted") }
        if standing.terms?.scope == .once, !isOnceAllowed { problem("allowed once after less was said") }
        if let terms = standing.terms, terms.scope != .once,
            !covers(replay.decisions[Self.key]?.terms?.agreed, requester)
        {
            problem("authorized for more than the durable grant covers")
        }
        if Rights(decision).exceeds(Rights(replay.decisions[Self.key])) {
            problem("\(describe(decision)) is in force and not durable")
        }
        for running in begun.values {
            guard let lease = running.lease.withLock({ $0 }) else { continue }
            if lease.isLive { check(lease, of: running, decision, replay) }
            if lease.ending == .muted, !operations.contains(.mute) { problem("another user's mute ended a lease") }
        }
        checkAnswered(replay)
        guard ledger.waitingCount == 0, begun.values.allSatisfy({ $0.end.reason != nil }) else { return }
        let stored = replay.decisions[Self.key]
        if hasFailed {
            if Rights(decision).exceeds(Rights(stored)) { problem("memory permits more than the log") }
        } else if summary(decision) != summary(stored) {
            problem("memory has \(summary(decision)), the log \(summary(stored))")
        }
        if !hasFailed, isMutedNow != (replay.mutes[.everyone] != nil) {
            problem("memory and the log differ about muting")
        }
    }

    private func check(_ lease: Lease, of running: Running, _ decision: Decision?, _ replay: HeldDisk.Replay) {
        if isMuted { problem("a lease lives while everything is muted") }
        if isRestricted { problem("a lease lives under a policy") }
        if let record = lease.decisionRecord, record >= UInt64(disk.entries.count), record > 0 {
            problem("a lease lives whose record is not durable")
        }
        // A running session goes on with what was declared when it began.
        let covering = lease.scope == .once ? [lease.agreed] : agreements
        let client = running.client.withLock { $0 }
        if let declared = client?.declared(.speechRecognition, in: lease.agreed.language),
            !covering.contains(where: { $0.additions(in: declared, .speechRecognition, at: .full).isEmpty })
        {
            problem("a lease lives with terms that no durable decision covers")
        }
        guard lease.scope != .once else {
            if isProcessOver { problem("a lease lives under a grant for once of an ended process") }
            if !isOnceAllowed, decision?.terms == nil { problem("a lease lives under a grant for once that is over") }
            return
        }
        guard let terms = decision?.terms else { return problem("a lease lives without a grant in the book") }
        if replay.decisions[Self.key]?.terms == nil { problem("a lease lives without a grant in the log") }
        let rights = Rights(lease.scope, lease.fidelityRecord == nil ? lease.fidelity : .reduced)
        if decision?.program == AllowedProgram(Self.changed.caller.executable) {
            problem("a lease of a program lives after its grant moved to another")
        }
        if rights.exceeds(Rights(terms.scope, terms.fidelity)) { problem("a lease permits more than the grant") }
    }

    private func covers(_ agreed: Agreement?, _ requester: Requester) -> Bool {
        guard let agreed, let declared = requester.client.declared(.speechRecognition, in: agreed.language) else {
            return false
        }
        return agreed.additions(in: declared, .speechRecognition, at: .full).isEmpty
    }

    /// The result that an operation reported is in the log, and is not undone there.
    private func checkAnswered(_ replay: HeldDisk.Replay) {
        for (number, running) in begun where running.end.reason == true {
            func isRecorded(_ isIt: (LedgerEvent) -> Bool) {
                if !disk.entries.contains(where: { isIt($0.event) }) {
                    problem("\(operations[number]) succeeded without a record")
                }
            }
            switch operations[number] {
            case .deny: isRecorded { if case .decidedInSettings(_, .denied, _, _, _) = $0 { true } else { false } }
            case .allow, .allowAlways, .lower:
                isRecorded { if case .decidedInSettings(_, .authorized, _, _, _) = $0 { true } else { false } }
            case .otherMutes where fault == nil && replay.mutes[.user(Self.other.user)] == nil:
                problem("another user's mute succeeded without a record")
            case .mute where isMuted && replay.mutes[.everyone] == nil: problem("a mute succeeded without a record")
            case .request where running.status.withLock({ $0 }) == .denied && !isDenied:
                problem("a request was denied without a denial")
            default: break
            }
        }
        if Rights(replay.decisions[Self.key]).exceeds(allowed(answered: true)) {
            problem("a restart would permit \(describe(replay.decisions[Self.key])) after less was acknowledged")
        }
    }

    /// What memory and the log must agree about; when it was last used is recorded once a day only.
    private func summary(_ decision: Decision?) -> String {
        "\(describe(decision)) for \(decision?.program?.sha256 ?? "none") by \(decision?.record.map { "\($0)" } ?? "none")"
    }

    /// Called when nothing is left to happen.
    func checkEnd() {
        for (number, running) in begun where running.end.reason == nil { problem("\(operations[number]) never ends") }
    }
}
