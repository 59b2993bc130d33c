import TestSupport

@testable import Authorization

/// How each operation begins.
extension ExplorerWorld {
    func begin(_ number: Int) {
        let running = Running()
        begun[number] = running
        guard !isProcessOver || !operations[number].isOfProcess else { return running.end.set(false) }
        let gate = gate
        let (requester, key) = (requester, Self.key)
        let notice = requester.client.manifest.map { Notice(settingsOf: $0, resource: .speechRecognition) }
        func say(_ limit: Rights) { sayings.append(.limit(limit, by: number)) }
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
            run {
                let grant = try await gate.speechRecognitionGrant(for: requester)
                let lease = grant.lease
                running.lease.withLock { $0 = lease }
                return nil
            }
        }
        func allow(_ scope: Scope, _ fidelity: Fidelity) {
            say(Rights(scope, fidelity))
            sayings.append(.grant(Rights(scope, fidelity)))
            run {
                try await gate.decide(
                    .authorized, for: key, program: AllowedProgram(requester.caller.executable), scope: scope,
                    fidelity: fidelity, notice: notice, by: requester.caller)
                return nil
            }
        }
        switch operations[number] {
        case .request: run { await gate.request(.speechRecognition, for: requester).status }
        case .requestOfChangedProgram:
            let changed = Requester(caller: Self.changed.caller, client: requester.client, presence: .foreground)
            run { await gate.request(.speechRecognition, for: changed).status }
        case .leave:
            for other in begun.values { other.task.withLock { $0 }?.cancel() }
            running.end.set(true)
        case .temporaryFidelity:
            run { await gate.requestTemporaryFullFidelity(purposeKey: "note", for: requester).status }
        case .requestAlways: run { await gate.requestAlways(.speechRecognition, for: requester).status }
        case .quietMoment:
            run {
                await gate.askAtQuietMoment(user: 1000) { _ in requester }
                return nil
            }
        case .allow: allow(.whileInUse, .full)
        case .allowAlways: allow(.always, .full)
        case .lower: allow(.whileInUse, .reduced)
        case .lowerWithin:
            let program = AllowedProgram(requester.caller.executable)
            // Without a grant in force there is nothing to lower.
            if stepper.value({ await gate.unexpired(key)?.program == program }) { say(Rights(.whileInUse, .reduced)) }
            run {
                _ = try await gate.lower(
                    key, .whileInUse, .reduced, program: program, notice: nil, by: requester.caller)
                return nil
            }
        case .deny:
            isDenied = true
            say(Rights())
            run { [fault] in
                if fault == .denialAfterItsRecord {
                    try await gate.denyAfterRecording(key, by: requester.caller)
                } else {
                    try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
                }
                return nil
            }
        case .reset:
            say(Rights())
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
            isRestricted = operations[number] == .restrict
            let policy = isRestricted ? Self.policy : Policy()
            run {
                try await gate.apply(policy, source: PolicyProvenance(files: [:], broken: [:]))
                return nil
            }
        case .mute:
            isMuted = true
            run {
                try await gate.mute(.everyone, by: requester.caller)
                return nil
            }
        case .unmute:
            isMuted = false
            run {
                try await gate.unmute(.everyone, by: requester.caller)
                return nil
            }
        case .otherMutes:
            let scope: MuteScope = fault == .muteOfAllUsers ? .everyone : .user(Self.other.user)
            run {
                try await gate.mute(scope, by: Self.other)
                return nil
            }
        case .restart:
            restart()
            running.end.set(true)
        case .processEnds:
            isProcessOver = true
            sayings.append(.onceIsOver)
            run {
                await gate.processEnded(requester.caller.process)
                return nil
            }
        case .staysAway:
            let isAllowed = stepper.value {
                await gate.standing(of: .speechRecognition, for: requester).terms?.scope == .once
            }
            if isAllowed { sayings.append(.onceIsOver) }
            let clock = clock
            run {
                await gate.note(.background, of: requester.caller.process)
                clock.pass(10_000)
                await gate.note(.background, of: requester.caller.process)
                return nil
            }
        }
    }

    /// The service loses the data that is not durable, and the next one reads the rest.
    private func restart() {
        for lease in leases { stepper.value { [gate] in await gate.finish(lease) } }
        base = Rights(disk.replay.decisions[Self.key])
        sayings = []
        isMuted = disk.replay.mutes[.everyone] != nil
        agent.leave()
        stepper.settle()
        ledgers.append(HeldLedger(disk))
        for number in begun.keys where begun[number]?.end.reason == nil { begun[number]?.end.set(false) }
        gate = Self.gate(stepper, ledger, agent, clock, isRestricted)
    }
}
