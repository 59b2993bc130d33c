import TestSupport

@testable import Authorization

/// How each operation begins.
extension ExplorerWorld {
    func begin(_ number: Int) {
        let running = Running()
        begun[number] = running
        let act = operations[number]
        let (party, key) = (act.party, act.key)
        guard !endedProcesses.contains(party.process) || !act.operation.isOfProcess else {
            return running.end.set(false)
        }
        let (gate, requester) = (gate, requester(party))
        let notice = requester.client.manifest.map { Notice(settingsOf: $0, resource: key.resource) }
        func say(_ limit: Rights) { subjects[key]?.say(.limit(limit, by: number)) }
        func revoke() {
            waitingSayings[key] = nil
            say(Rights())
        }
        func run(_ body: @escaping @Sendable () async throws -> AuthorizationStatus?) {
            let task = Task.detached {
                do {
                    let status = try await body()
                    running.status.withLock { $0 = status }
                    running.end.set(true)
                } catch {
                    running.end.set(false)
                }
            }
            running.task.withLock { $0 = task }
        }
        func lease(_ requester: Requester) {
            running.client.withLock { $0 = requester.client }
            run { [fault] in
                if fault == .onceForAllProcesses { await gate.allowOnce(key, requester) }
                let lease =
                    switch key.resource {
                    case .speechRecognition: try await gate.speechRecognitionGrant(for: requester).lease
                    case .microphone: try await gate.microphoneGrant(for: requester).lease
                    }
                running.lease.withLock { $0 = lease }
                return nil
            }
        }
        func allow(_ scope: Scope, _ fidelity: Fidelity) {
            let rights = Rights(scope, fidelity)
            let sayings = [Saying.limit(rights, by: number), .grant(rights)]
            if verification == .pending {
                // It takes effect afterwards, unless it is revoked meanwhile.
                waitingSayings[key, default: []] += sayings
            } else {
                for saying in sayings { subjects[key]?.say(saying) }
            }
            run {
                try await gate.decide(
                    .authorized, for: key, program: AllowedProgram(requester.caller.executable), scope: scope,
                    fidelity: fidelity, notice: notice, by: requester.caller)
                return nil
            }
        }
        func mute(_ scope: MuteScope) {
            muted.insert(scope)
            mutesSaid.insert(scope)
            muteChanges.insert(scope)
            run { [fault] in
                if fault == .muteOfAllUsers { await gate.endAllLeases() }
                try await gate.mute(scope, by: requester.caller)
                return nil
            }
        }
        func unmute(_ scope: MuteScope) {
            muted.remove(scope)
            muteChanges.insert(scope)
            run {
                try await gate.unmute(scope, by: requester.caller, managing: true)
                return nil
            }
        }
        switch act.operation {
        case .request: run { await gate.request(key.resource, for: requester).status }
        case .requestOfChangedProgram:
            let changed = Requester(caller: Self.changed.caller, client: requester.client, presence: .foreground)
            run { await gate.request(key.resource, for: changed).status }
        case .requestBoth: run { await gate.checkAndRequest(for: requester).status }
        case .leave:
            for other in begun.values { other.task.withLock { $0 }?.cancel() }
            running.end.set(true)
        case .temporaryFidelity:
            run { await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester).status }
        case .requestAlways: run { await gate.requestAlways(key.resource, for: requester).status }
        case .quietMoment:
            run { [fault] in
                switch fault {
                case .answersOneAfterTheOther, .answersUpToAFailure: await gate.review(requester, with: fault)
                default: await gate.askAtQuietMoment(user: key.user) { _ in requester }
                }
                return nil
            }
        case .allow: allow(.whileInUse, .full)
        case .allowAlways: allow(.always, .full)
        case .lower: allow(.whileInUse, .reduced)
        case .lowerWithin:
            let program = AllowedProgram(requester.caller.executable)
            // Without a grant in force there is nothing to lower, which is known when the log is verified.
            if verification != .pending, stepper.value({ await gate.unexpired(key)?.program == program }) {
                say(Rights(.whileInUse, .reduced))
            }
            run {
                _ = try await gate.lower(
                    key, .whileInUse, .reduced, program: program, notice: notice, by: requester.caller)
                return nil
            }
        case .deny:
            subjects[key]?.isDenied = true
            revoke()
            run { [fault] in
                if fault == .denialAfterItsRecord {
                    try await gate.denyAfterRecording(key, by: requester.caller)
                } else {
                    await gate.endLeases(beside: key, with: fault)
                    try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
                }
                return nil
            }
        case .reset:
            revoke()
            run { [fault] in
                if fault == .resetOfWhatIsInForce {
                    try await gate.resetInForce(key, by: requester.caller)
                } else {
                    try await gate.reset(key, by: requester.caller)
                }
                return nil
            }
        case .expire:
            clock.pass(91 * Self.day)
            run { [fault] in
                if fault == .expiryOfASnapshot { await gate.expireSnapshot() } else { await gate.expireGrants() }
                return nil
            }
        case .use: lease(requester)
        case .useOfReplacedProgram:
            lease(Requester(caller: Self.replaced.caller, client: requester.client, presence: .foreground))
        case .widen:
            isWidened = true
            running.end.set(true)
        case .restrict, .lift:
            isRestricted = act.operation == .restrict
            let policy = isRestricted ? Self.policy : Policy()
            run {
                try await gate.apply(policy, source: PolicyProvenance(files: [:], broken: [:]))
                return nil
            }
        case .mute: mute(.everyone)
        case .muteUser: mute(.user(party.user))
        case .unmute: unmute(.everyone)
        case .unmuteUser: unmute(.user(party.user))
        case .restart:
            restart()
            running.end.set(true)
        case .processEnds:
            endedProcesses.insert(party.process)
            for key in keys where key.user == party.user { subjects[key]?.say(.onceIsOver(party.process)) }
            run { [fault] in
                let processes =
                    fault == .endOfAllProcesses ? await gate.concernedProcesses : [requester.caller.process]
                for process in processes { await gate.processEnded(process) }
                return nil
            }
        case .staysAway:
            for key in keys where key.user == party.user {
                let isAllowed = stepper.value {
                    await gate.standing(of: key.resource, for: requester).terms?.scope == .once
                }
                if isAllowed { subjects[key]?.say(.onceIsOver(party.process)) }
            }
            let clock = clock
            run {
                await gate.note(.background, of: requester.caller.process)
                clock.pass(10_000)
                await gate.note(.background, of: requester.caller.process)
                return nil
            }
        case .verify, .findAltered:
            noteVerification(act.operation == .verify ? .intact : .altered)
            let end = endOfVerification
            run {
                await end()
                return nil
            }
        }
    }
}

// MARK: Verification and restart

extension ExplorerWorld {
    private func noteVerification(_ outcome: Verification) {
        verification = outcome
        if outcome == .altered { for key in keys { subjects[key]?.drop() } }
        for (key, sayings) in waitingSayings { for saying in sayings { subjects[key]?.say(saying) } }
        waitingSayings = [:]
        guard log == .unreadable else { return }
        ledger.showMutes()
        // What was said meanwhile counts.
        for scope in muteScopes where !muteChanges.contains(scope) {
            if disk.replay.mutes[scope] == nil { muted.remove(scope) } else { muted.insert(scope) }
        }
    }

    /// What the service does then.
    private var endOfVerification: @Sendable () async -> Void {
        let (gate, fault) = (gate, fault)
        let decisions = verification == .intact ? Array(disk.replay.decisions.values) : nil
        return {
            await gate.ledgerWasVerified(decisions)
            if fault == .mutesAsVerified { await gate.applyStoredMutes() }
        }
    }

    /// The service loses the data that is not durable, and the next one reads the rest.
    private func restart() {
        for lease in leases { stepper.value { [gate] in await gate.finish(lease) } }
        for key in keys { subjects[key]?.restart(with: disk.replay.decisions[key]) }
        (muteChanges, failedMutes, waitingSayings) = ([], [], [:])
        agent.leave()
        stepper.settle()
        for number in begun.keys where begun[number]?.end.reason == nil { begun[number]?.end.set(false) }
        // The log is verified again, with the same result.
        let outcome = verification
        let hidesMutes = log == .unreadable
        let stored = disk.replay.mutes
        muted = hidesMutes ? [.everyone] : muteScopes.filter { stored[$0] != nil }
        ledgers.append(HeldLedger(disk, hidesMutes: hidesMutes))
        gate = Self.gate(stepper, ledger, agent, clock, isRestricted, isVerified: isTrustedAtOnce)
        guard log != .verified, outcome != .pending else { return }
        noteVerification(outcome)
        Task.detached(operation: endOfVerification)
        stepper.settle()
    }
}
