import Base
import TestSupport

@testable import Authorization

/// What stories look at.
extension StoryWorld {
    private func describe(_ terms: Terms?) -> String {
        terms.map { "\($0.scope) \($0.fidelity) \($0.upgrade)" } ?? "nothing"
    }

    private func describe(_ decision: Decision?) -> String {
        decision.map { $0.verdict == .denied ? "denied" : describe($0.terms) } ?? "nothing"
    }

    private func list(_ texts: [String]) -> String { texts.isEmpty ? "nothing" : texts.joined(separator: ", ") }

    private func name(_ resource: Resource?) -> String {
        resource.map { $0 == .microphone ? "microphone" : "speech" } ?? "all"
    }

    private func name(_ key: DecisionKey) -> String {
        "\(key.client.rawValue.split(separator: ".").last ?? "") \(name(key.resource))"
    }

    private func user(_ words: Words) -> UInt32 { words.values["user"].flatMap(UInt32.init) ?? 1000 }

    /// The gate, its leases, and what the person sees.
    func look(_ words: Words) async -> String? {
        let (gate, requester, resource) = (gate, requester(words), words.resource ?? .microphone)
        let key = requester.key(for: resource)
        switch words.verb {
        case "status": return await gate.status(of: resource, for: requester).rawValue
        case "settings-show": return await gate.settled(key).status.rawValue
        case "terms": return describe(await gate.standing(of: resource, for: requester).terms)
        // What the gate remembers and the ledger has, whatever the program is.
        case "remembered": return describe(await gate.book[key])
        // Whether what the grant is bound to is all that the client declares.
        case "agreed":
            let agreed = await gate.book[key]?.terms?.agreed
            let declared = requester.client.declared(resource, in: .english)
            return agreed == declared?.recognised(by: gate.engine, recordsTo: gate.collector)
                ? "as declared" : "otherwise"
        case "collector-agreed":
            return await gate.book[key]?.terms?.agreed.collector.map { "\($0.name) \($0.purpose) \($0.send)" }
                ?? "nobody"
        // What settings mark as new, in all languages.
        case "settings-new":
            guard let manifest = requester.client.manifest else { return "no manifest" }
            let additions = await gate.settled(key, client: requester.client).additions
            return list(
                Language.allCases.compactMap { language in
                    let notice = Notice(
                        settingsOf: manifest, resource: resource, language: language, additions: additions)
                    let line = notice.new.map { "\(language.wording(.new)): \($0)" }
                    return line.map { notice.text.contains($0) ? $0 : "not in the notice" }
                })
        // monitor [start|notify] [phrase=…]; monitor-refusal
        case "monitor", "monitor-refusal":
            let kind = words.text("phrase").map { MonitorKind.keyPhrase($0) } ?? .soundBegan
            let monitor = MonitorRegistration(
                identifier: "m", user: 1000, client: requester.client.identifier, kind: kind,
                action: words.first(MonitorAction.self) ?? .start)
            guard words.verb == "monitor" else {
                return await gate.refusal(of: monitor, for: requester).map { $0.code.rawValue } ?? "nothing"
            }
            return switch await gate.permission(of: monitor, for: requester) {
            case .allowed: "allowed"
            case .paused(let code): "paused \(code)"
            case .ended(let reason): "ended \(reason)"
            }
        case "kept":
            return list(await gate.book[key]?.terms?.agreed.kept.map { "\($0.key) \($0.value.text)" }.sorted() ?? [])
        case "review-asked":
            return await gate.standing(of: resource, for: requester).terms?.reviewAskedAt == nil ? "no" : "yes"
        case "settings":
            let settled = await gate.settled(key, client: requester.client)
            return "\(settled.status) \(settled.decision?.terms.map { "\($0.scope)" } ?? "nothing"), "
                + (settled.question == nil ? "no question, " : "a question, ")
                + (settled.reviewAt == nil ? "no review" : "a review")
        // What the client sees; a provisional always is one.
        case "seen":
            let terms = await gate.permissions(ofUser: requester.caller.user).standings(for: requester)[resource]?.terms
            return terms.map { "\($0.isProvisionalAlways ? .always : $0.scope) \($0.fidelity)" } ?? "nothing"
        // changes [user=1001] [fidelity|statuses RESOURCE]: those since the last step that lists them
        case "changes":
            guard let updates = await newChanges(user(words)) else { return "forgotten" }
            return list(
                updates.map { update in
                    let standing = update.standings(for: requester)[resource]
                    if words.has("fidelity") { return standing?.terms.map { "\($0.fidelity)" } ?? "none" }
                    guard words.has("statuses") else { return name(update.key?.resource) }
                    return
                        "\(update.cursor.revision) \(standing?.status.rawValue ?? "none")\(update.mute == nil ? "" : " muted")"
                })
        case "settled-keys": return list(await gate.settledKeys(ofUser: user(words)).sorted().map(name))
        case "allowed-once": return "\(await gate.processesAllowedOnce.count)"
        case "waiting-grants": return "\(await gate.waitingGrants.count)"
        case "waiters": return "\(await gate.waiters(for: key))"
        case "unverified-waiting": return "\(await gate.verification.handlerCount)"
        case "muted":
            guard let mute = await gate.mutes[words.values["of"] == "user" ? .user(requester.caller.user) : .everyone]
            else {
                return "no"
            }
            return "by \(mute.user.map { "\($0)" } ?? "an unknown user")"
        // lease NAME [records|background]
        case "lease":
            guard let lease = leases[words.plain[0]] else { return "unknown lease" }
            if words.has("records") {
                return [lease.decisionRecord, lease.fidelityRecord].map { $0.map { "\($0)" } ?? "none" }.joined(
                    separator: " ")
            }
            if words.has("kept") { return list(lease.kept.map { "\($0.key) \($0.value.text)" }.sorted()) }
            if words.has("absence") { return lease.absence.map { "\($0)" } ?? "nobody" }
            if words.has("background") { return lease.ground(in: .background).map { "\($0)" } ?? "nothing" }
            return lease.ending.map { "\($0)" } ?? "live \(lease.scope) \(lease.fidelity)"
        case "ended": return "\(ended)"
        case "outcomes":
            var outcomes: [String: Int] = [:]
            for task in tasks.values { outcomes[await task.value, default: 0] += 1 }
            return list(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
        case "about": return refusal.map { name($0.resource) } ?? "nothing"
        case "refused-status": return refusal?.status.rawValue ?? "nothing"
        case "called": return requester.client.displayName(in: requester.language)
        case "message": return refusal?.message ?? "nothing"
        case "command": return refusal?.settings ?? "nothing"
        case "retry": return refusal?.retryAfter.map { "\($0) s" } ?? "nothing"
        // The prompts since the last step that lists them.
        case "prompts":
            return list(newPrompts().map { "\($0.resources.map(name).joined(separator: "+")) \($0.question.kind)" })
        case "shown": return "\(agent.prompts.count)"
        case "offered": return agent.prompts.last?.answers.map(\.rawValue).joined(separator: " ") ?? "nothing"
        case "offers-fidelity": return agent.prompts.last?.offersFidelity == true ? "yes" : "no"
        case "recipients": return list(agent.prompts.last?.notice.practices.recipients ?? [])
        case "withdrawn": return "\(agent.withdrawn.count)"
        case "notice": return agent.prompts.last?.notice.text ?? "nothing"
        case "new": return agent.prompts.last?.notice.new ?? "nothing"
        default: return nil
        }
    }

    func lookAtRecords(_ words: Words) async throws -> String? {
        switch words.verb {
        // stored: each decision in the ledger
        case "stored":
            return list(
                try await ledger.decisions().sorted { $0.key < $1.key }.map { "\(name($0.key)) \(describe($0))" })
        case "program", "ages":
            let key = requester(words).key(for: words.resource ?? .microphone)
            guard let decision = try await ledger.decisions().first(where: { $0.key == key }) else { return "nothing" }
            if words.verb == "program" {
                return "\(decision.program?.sha256 ?? "none") record \(decision.record.map { "\($0)" } ?? "none")"
            }
            func age(_ moment: Moment?) -> String {
                moment.flatMap { clock.now.elapsed(since: $0) }.map { "\($0 / Gate.day) d ago" } ?? "unknown"
            }
            return "used \(age(decision.terms?.usedAt)), confirmed \(age(decision.terms?.reviewedAt))"
        // The records since the last step that lists them.
        case "records": return list(newRecords())
        case "count": return "\(ledger.eventNames.count { $0 == words.plain[0] })"
        case "writing": return "\(ledger.waitingCount)"
        // record NAME: what the last one with this name says
        case "record":
            return ledger.events.last { Mirror(reflecting: $0).children.first?.label == words.plain[0] }.map(describe)
                ?? "nothing"
        default: return nil
        }
    }

    private func describe(_ event: LedgerEvent) -> String {
        func number(_ record: UInt64?) -> String { record.map { "\($0)" } ?? "none" }
        return switch event {
        case .noticeChanged(let prompt, let previous):
            "\(name(prompt.resource)) instead of prompt "
                + (agent.prompts.lastIndex { $0.notice.text == previous.text }.map { "\($0 + 1)" } ?? "none")
        case .noticeShown(_, let asked): "asked by \(asked)"
        case .granted(let prompt, let scope, let fidelity, _, let notice):
            "\(name(prompt.resource)) \(scope) \(fidelity), notice \(notice)"
        case .renewed(let prompt, let scope, let fidelity, _, _, let decision):
            "\(name(prompt.resource)) \(scope) \(fidelity), decision \(number(decision))"
        case .withdrawn(let key, let notice, let decision, _):
            "\(name(key.resource)), \(notice == nil ? "no" : "a") notice, decision \(number(decision))"
        case .expired(let key, let reason): "\(name(key.resource)) \(reason)"
        case .restrictedByPolicy(let key, let rule, let decision):
            "\(name(key.resource)) \(rule.reason ?? "without a reason"), decision \(number(decision))"
        case .revokedByAdministrator(let key, _, let identifiers, let decision):
            "\(name(key.resource)), leases \(list(leases.filter { identifiers.contains($0.value.identifier) }.keys.sorted())) "
                + "of \(identifiers.count), decision \(number(decision))"
        default: "\(event)"
        }
    }
}
