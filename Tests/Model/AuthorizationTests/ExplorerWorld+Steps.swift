import TestSupport

@testable import Authorization

/// What may happen next, and what it says.
extension ExplorerWorld {
    var steps: [Step] {
        // Of operations that are the same, the first begins first.
        var steps = operations.indices.filter { number in
            begun[number] == nil
                && !operations[..<number].indices.contains { begun[$0] == nil && operations[$0] == operations[number] }
        }.map { Step.begin($0) }
        let waiting = ledger.waitingCount
        if waiting > 0 { steps.append(.complete) }
        if waiting > 1 { steps.append(.completeAll) }
        if waiting > 0, failures > 0 { steps.append(.fail) }
        if !agent.looking.isEmpty { steps.append(.look) }
        for (number, prompt) in agent.shown.enumerated() {
            steps += prompt.answers.filter(answers.contains).map { .answer($0, to: number) }
        }
        return steps
    }

    /// - Parameter isChecked: another run took the same steps until here, and checked what must be true after each.
    func take(_ step: Step, isChecked: Bool) {
        events.append(.step(step))
        switch step {
        case .begin(let number): begin(number)
        case .complete:
            complete()
        case .completeAll:
            for _ in 0..<ledger.waitingCount { complete() }
        case .fail:
            failures -= 1
            let entry = ledger.fail()
            if let key = entry.change?.key { subjects[key]?.hasFailed = true }
            switch entry.event {
            case .muted(let scope, _), .unmuted(let scope, _): failedMutes.insert(scope)
            default: break
            }
        case .look:
            agent.look()
        case .answer(let answer, let number):
            let prompt = agent.shown[number]
            note(answer, to: prompt)
            agent.answer(answer, to: prompt)
        }
        stepper.settle()
        if !isChecked { check() }
    }

    private func note(_ answer: Answer, to prompt: Prompt) {
        let process = prompt.requester.caller.process
        for key in prompt.resources.map({ prompt.requester.key(for: $0) }) {
            let before = Rights(decision(key))
            func say(_ saying: Saying) { subjects[key]?.say(saying) }
            switch answer {
            case .deny:
                subjects[key]?.isDenied = true
                say(.limit(Rights(), by: nil))
            case .whileInUse:
                say(.limit(Rights(.whileInUse, .full), by: nil))
                let full = !prompt.question.waitsForQuietMoment || before.fidelity == 2
                say(.grant(Rights(.whileInUse, full ? .full : .reduced)))
            case .always: say(.grant(Rights(.always, before.fidelity == 2 ? .full : .reduced)))
            case .once: if !endedProcesses.contains(process) { say(.once(process)) }
            case .later: break
            }
        }
    }

    private func complete() {
        let before = disk.replay
        let entry = ledger.complete()
        events.append(.durable(entry.event))
        let named = entry.event.key
        guard let key = entry.change?.key ?? named else { return }
        let (old, new) = (before.decisions[key], disk.replay.decisions[key])
        if let terms = new?.terms { subjects[key]?.agreements.append(terms.agreed) }
        if entry.change != nil { subjects[key]?.isDropped = false }
        let isRight =
            switch entry.event {
            case .denied, .decidedInSettings(_, .denied, _, _, _): new?.verdict == .denied
            case .decidedInSettings(_, .authorized, let terms?, _, _): new?.terms == terms
            case .granted(_, .once, _, _, _): old == new
            case .granted(_, let scope, let fidelity, _, _), .renewed(_, let scope, let fidelity, _, _, _):
                Rights(new) == Rights(scope, fidelity)
            case .withdrawn: new == nil
            // A denial does not expire.
            case .expired: new == nil && old?.verdict == .authorized
            default: Rights(old) == Rights(new) && old?.verdict == new?.verdict
            }
        if !isRight { problem("\(name(entry.event)) stores \(describe(new)) over \(describe(old))") }
        if let named, named != key { problem("\(name(entry.event)) stores another permission than it names") }
    }

    /// Ends everything that still waits.
    func end() {
        while !agent.looking.isEmpty || !agent.shown.isEmpty || ledgers.contains(where: { $0.waitingCount > 0 }) {
            agent.leave()
            for ledger in ledgers where ledger.waitingCount > 0 { _ = ledger.fail() }
            stepper.settle()
        }
    }

    /// Called when nothing is left to happen.
    func checkEnd() {
        for (number, running) in begun where running.end.reason == nil { problem("\(operations[number]) never ends") }
    }
}

extension LedgerEvent {
    /// The permission that a decision is about.
    fileprivate var key: DecisionKey? {
        switch self {
        case .granted(let prompt, _, _, _, _), .renewed(let prompt, _, _, _, _, _), .denied(let prompt, _, _),
            .noticeShown(let prompt, _):
            prompt.requester.key(for: prompt.resource)
        case .decidedInSettings(let key, _, _, _, _), .withdrawn(let key, _, _, _), .used(let key),
            .expired(let key, _):
            key
        case .upgradeRequested(let requester, let resource), .carriedOver(let requester, let resource, _):
            requester.key(for: resource)
        default: nil
        }
    }
}
