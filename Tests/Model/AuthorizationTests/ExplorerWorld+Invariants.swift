@testable import Authorization

/// What must be true after each step.
extension ExplorerWorld {
    /// The gate's state.
    struct View: Sendable {
        var decisions: [DecisionKey: Decision] = [:]
        /// Of each party's permissions, in the order of `permissions`.
        var standings: [Standing] = []
        var mutes = Mutes()
    }

    var leases: [Lease] { begun.values.compactMap { $0.lease.withLock { $0 } } }

    var muteScopes: Set<MuteScope> { Set(parties.map { .user($0.user) }).union([.everyone]) }

    private var permissions: [(party: Party, key: DecisionKey)] {
        parties.flatMap { party in keys.filter { $0.user == party.user }.map { (party, $0) } }
    }

    private var view: View {
        let asked = permissions.map { (requester($0.party), $0.key.resource) }
        return stepper.value { [gate, keys] in
            await gate.view(of: keys, asked)
        }
    }

    func decision(_ key: DecisionKey) -> Decision? { stepper.value { [gate] in await gate.book[key] } }

    func problem(_ text: String) { problems.append(text) }

    func describe(_ decision: Decision?) -> String {
        guard let decision else { return "nothing" }
        guard let terms = decision.terms else { return "a denial" }
        return "\(terms.scope) \(terms.fidelity) \(terms.upgrade) shared with \(terms.agreed.recipients ?? [])"
    }

    func check() {
        let (view, replay) = (view, disk.replay)
        for scope in muted where view.mutes[scope] == nil { problem("not muted") }
        for (permission, standing) in zip(permissions, view.standings) {
            check(standing, of: permission.party, permission.key, replay)
        }
        for key in keys {
            let decision = view.decisions[key]
            if let allowed = subjects[key]?.allowed(), Rights(decision).exceeds(allowed) {
                problem("\(describe(decision)) is in force after less was said")
            }
            if Rights(decision).exceeds(Rights(replay.decisions[key])) {
                problem("\(describe(decision)) is in force and not durable")
            }
        }
        for (number, running) in begun {
            guard let lease = running.lease.withLock({ $0 }) else { continue }
            if let ending = lease.ending {
                check(ending, of: operations[number], lease)
            } else {
                check(lease, of: running, operations[number].party, view.decisions[lease.key], replay)
            }
        }
        if verification == .pending { checkUnverified() }
        checkAnswered(replay)
        guard ledger.waitingCount == 0, begun.values.allSatisfy({ $0.end.reason != nil }) else { return }
        checkMemory(view, replay)
    }

    private func check(_ standing: Standing, of party: Party, _ key: DecisionKey, _ replay: HeldDisk.Replay) {
        if isRestricted, standing.status != .restricted { problem("not restricted") }
        if standing.status != .restricted, isMuted(key.user) { problem("a user who is muted is not restricted") }
        guard let terms = standing.terms else { return }
        if terms.scope == .once {
            if subjects[key]?.isOnceAllowed(party.process) != true { problem("allowed once after less was said") }
        } else if !covers(replay.decisions[key]?.terms?.agreed, requester(party), key.resource) {
            problem("authorized for more than the durable grant covers")
        }
    }

    private func isMuted(_ user: UInt32) -> Bool { muted.contains { $0.covers(user) } }

    /// What the gate remembers when nothing is being written.
    private func checkMemory(_ view: View, _ replay: HeldDisk.Replay) {
        for key in keys {
            let (decision, stored, subject) = (view.decisions[key], replay.decisions[key], subjects[key])
            if subject?.isDropped == true, stored?.terms != nil {
                if decision?.terms != nil { problem("a grant of an altered log is in force") }
            } else if subject?.hasFailed == true {
                if Rights(decision).exceeds(Rights(stored)) { problem("memory permits more than the log") }
            } else if summary(decision) != summary(stored) {
                problem("memory has \(summary(decision)), the log \(summary(stored))")
            }
        }
        guard log != .unreadable || verification != .pending else { return }
        for scope in muteScopes.subtracting(failedMutes)
        where (view.mutes[scope] == nil) != (replay.mutes[scope] == nil) {
            problem("memory and the log differ about muting")
        }
    }

    /// Until it is known whether the stored grants can be trusted.
    private func checkUnverified() {
        if leases.contains(where: \.isLive) { problem("a lease lives before the log is verified") }
        if !agent.looking.isEmpty || !agent.shown.isEmpty { problem("asked before the log is verified") }
        for entry in ledger.waitingEntries {
            var isOfGrant = entry.change?.decision?.verdict == .authorized
            if case .expired = entry.event { isOfGrant = true }
            if isOfGrant { problem("\(name(entry.event)) before the log is verified") }
        }
    }

    /// A grant for one program ends the leases of the other.
    private var movesToOtherProgram: Bool {
        operations.contains { [.useOfReplacedProgram, .requestOfChangedProgram].contains($0.operation) }
    }

    private func check(_ ending: LeaseEnding, of act: Act, _ lease: Lease) {
        switch ending {
        case .muted where !mutesSaid.contains(where: { $0.covers(lease.key.user) }):
            problem("another user's mute ended a lease")
        case .revoked where subjects[lease.key]?.isRevoked != true && !movesToOtherProgram:
            problem("a lease ended without a denial of its permission")
        case .disconnected where !endedProcesses.contains(act.party.process):
            problem("the end of another process ended a lease")
        default: break
        }
    }

    private func check(
        _ lease: Lease, of running: Running, _ party: Party, _ decision: Decision?, _ replay: HeldDisk.Replay
    ) {
        let key = lease.key
        guard let subject = subjects[key] else { return problem("a lease lives of another permission") }
        if isMuted(key.user) { problem("a lease lives while its user is muted") }
        if isRestricted { problem("a lease lives under a policy") }
        if let record = lease.decisionRecord, record >= UInt64(disk.entries.count), record > 0 {
            problem("a lease lives whose record is not durable")
        }
        // A running session goes on with what was declared when it began.
        let covering = lease.scope == .once ? [lease.agreed] : subject.agreements
        let client = running.client.withLock { $0 }
        if let declared = client?.declared(key.resource, in: lease.agreed.language),
            !covering.contains(where: { $0.additions(in: declared, key.resource, at: .full).isEmpty })
        {
            problem("a lease lives with terms that no durable decision covers")
        }
        guard lease.scope != .once else {
            if endedProcesses.contains(party.process) {
                problem("a lease lives under a grant for once of an ended process")
            }
            if !subject.isOnceAllowed(party.process), decision?.terms == nil {
                problem("a lease lives under a grant for once that is over")
            }
            return
        }
        guard let terms = decision?.terms else { return problem("a lease lives without a grant in the book") }
        if replay.decisions[key]?.terms == nil { problem("a lease lives without a grant in the log") }
        let rights = Rights(lease.scope, lease.fidelityRecord == nil ? lease.fidelity : .reduced)
        if decision?.program == AllowedProgram(Self.changed.caller.executable) {
            problem("a lease of a program lives after its grant moved to another")
        }
        if rights.exceeds(Rights(terms.scope, terms.fidelity)) { problem("a lease permits more than the grant") }
    }

    private func covers(_ agreed: Agreement?, _ requester: Requester, _ resource: Resource) -> Bool {
        guard let agreed, let declared = requester.client.declared(resource, in: agreed.language) else { return false }
        return agreed.additions(in: declared, resource, at: .full).isEmpty
    }

    /// The result that an operation reported is in the log, and is not undone there.
    private func checkAnswered(_ replay: HeldDisk.Replay) {
        for (number, running) in begun where running.end.reason == true {
            let act = operations[number]
            func isRecorded(_ verdict: Verdict) {
                let isIt = disk.entries.contains {
                    if case .decidedInSettings(act.key, verdict, _, _, _) = $0.event { true } else { false }
                }
                if !isIt { problem("\(act) succeeded without a record") }
            }
            func isMuteRecorded(_ scope: MuteScope) {
                if muted.contains(scope), replay.mutes[scope] == nil { problem("\(act) succeeded without a record") }
            }
            switch act.operation {
            case .deny: isRecorded(.denied)
            case .allow, .allowAlways, .lower: isRecorded(.authorized)
            case .muteUser: isMuteRecorded(.user(act.party.user))
            case .mute: isMuteRecorded(.everyone)
            case .request where running.status.withLock({ $0 }) == .denied && subjects[act.key]?.isDenied != true:
                problem("a request was denied without a denial")
            default: break
            }
        }
        for key in keys {
            let storable = subjects[key]?.storable { begun[$0]?.end.reason == true }
            if let storable, Rights(replay.decisions[key]).exceeds(storable) {
                problem("a restart would permit \(describe(replay.decisions[key])) after less was acknowledged")
            }
        }
    }

    /// What memory and the log must agree about; when it was last used is recorded once a day only.
    private func summary(_ decision: Decision?) -> String {
        "\(describe(decision)) for \(decision?.program?.sha256 ?? "none") by \(decision?.record.map { "\($0)" } ?? "none")"
    }
}

extension Gate {
    fileprivate func view(of keys: [DecisionKey], _ asked: [(Requester, Resource)]) -> ExplorerWorld.View {
        var view = ExplorerWorld.View(mutes: book.mutes)
        for key in keys { view.decisions[key] = book[key] }
        view.standings = asked.map { standing(of: $0.1, for: $0.0) }
        return view
    }
}
