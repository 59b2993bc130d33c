import Base
import Foundation
import TestSupport

@testable import Authorization

/// The actions of stories. `by NAME` is the client; the default is `editor`.
extension StoryWorld {
    func perform(_ words: Words) async throws -> String {
        guard words.unknown.isEmpty else { return "unknown words \(words.unknown)" }
        if let outcome = try await prepare(words) { return outcome }
        if let outcome = try await ask(words) { return outcome }
        if let outcome = try await settle(words) { return outcome }
        if let outcome = await look(words) { return outcome }
        if let outcome = try await lookAtRecords(words) { return outcome }
        return "unknown action \(words.verb)"
    }

    /// The clients, the person, the ledger, the clocks.
    private func prepare(_ words: Words) async throws -> String? {
        switch words.verb {
        case "client": declare(words)
        // answers ANSWER; answers firstUse=ANSWER any=ANSWER; answers nothing
        case "answers": guard answers.set(words) else { return "unknown answer" }
        // stored RESOURCE [denied] [SCOPE] [FIDELITY] [UPGRADE] by CLIENT: before the gate begins
        case "stored" where !words.plain.isEmpty && words.values["of"] == nil: stored.append(decision(words))
        // has RESOURCE STATUS: when the gate begins
        case "has":
            switch words.first(AuthorizationStatus.self) {
            case .restricted: policy = Policy(rules: policy.rules + (try Self.policy(words)).rules)
            case .authorized: stored.append(decision(Words("stored \(words.plain[0]) notRequested")))
            case .denied: stored.append(decision(words))
            default: break
            }
        // logged muted|unmuted: a record of an earlier service
        case "logged":
            let caller = requester(words).caller
            try await ledger.record(
                words.has("muted") ? .muted(.everyone, by: caller) : .unmuted(.everyone, by: caller), changing: nil)
        case "unverified": isVerified = false
        // engine own; engine NAME; collector NAME purpose=… send=…: when the gate begins
        case "engine":
            configuration.engine = words.has("own") ? .ofService : .outside(name: words.plain[0])
        case "collector":
            configuration.collector =
                words.has("nobody")
                ? nil
                : RecordCollector(
                    name: words.plain[0].replacingOccurrences(of: "_", with: " "), purpose: words.text("purpose") ?? "",
                    send: words.values["send"].flatMap(RecordCollector.Sending.init) ?? .proofs)
        // away; comes: whether somebody can be asked
        case "away": agent.setAway(true)
        case "comes": agent.setAway(false)
        case "delays": configuration.promptDelays = GateConfiguration().promptDelays
        // forbidden [RESOURCE] [hours=8,9]: when the gate begins
        case "forbidden": policy = try Self.policy(words)
        case "hide": ledger.hideMute(true)
        case "show": ledger.hideMute(false)
        case "pass": clock.pass(words.milliseconds)
        case "wall": clock.setWall(by: words.milliseconds)
        case "reboot": clock.reboot(number: words.number ?? 1, off: words.milliseconds)
        case "fail":
            let quota = words.values["quota"].flatMap(Int64.init)
            ledger.fail(after: words.number ?? 0, with: quota.map { RecordQuotaExceeded(user: 1000, seconds: $0) })
        case "recover": ledger.recover()
        case "begin": break
        case "restart": try await start()
        case "hold": hold(words.plain[0])
        case "held", "release":
            guard let held else { return "unknown hold" }
            if words.verb == "held" { await held.begun.value } else { held.released.set() }
        case "timeout": timeout.set()
        default: return nil
        }
        return "done"
    }

    private static func describe(_ refusal: AuthorizationError?) -> String {
        guard let refusal else { return "authorized" }
        let (status, code) = (refusal.status.rawValue, refusal.code.rawValue)
        return status == code ? status : "\(status) \(code)"
    }

    private func noting(_ refusal: AuthorizationError?) -> String {
        self.refusal = refusal
        return Self.describe(refusal)
    }

    /// The one with the number, or else the last.
    private func prompt(_ words: Words) -> Prompt? {
        agent.prompts.prefix(words.number ?? .max).last
    }

    /// Requests, answers and sessions.
    private func ask(_ words: Words) async throws -> String? {
        let (gate, requester, resource) = (gate, requester(words), words.resource ?? .microphone)
        switch words.verb {
        // ask RESOURCE [always]; ask fidelity purpose=NAME
        case "ask" where words.has("always"): return noting(await gate.requestAlways(resource, for: requester))
        case "ask" where words.has("fidelity"):
            return noting(
                await gate.requestTemporaryFullFidelity(purposeKey: words.values["purpose"] ?? "", for: requester))
        case "ask": return noting(await gate.request(resource, for: requester))
        // both [always] [unasked] [denying=RESOURCE, while the device is looked for]: both permissions in their order
        case "both" where words.values["denying"] != nil:
            let interruption = interruption(words)
            return noting(
                try await gate.checkAndRequest(for: requester, asking: true) { _ = try await interruption?() })
        case "both":
            return noting(
                await gate.checkAndRequest(
                    for: requester, asking: !words.has("unasked"), scope: words.has("always") ? .always : .whileInUse))
        case "answer":
            guard let prompt = prompt(words) else { return "unknown prompt" }
            if words.has("dies") {
                agent.die(at: prompt)
            } else {
                guard let answer = words.first(Answer.self) else { return "unknown answer" }
                agent.answer(answer, to: prompt)
            }
        // settled NUMBER: whether the answer to the prompt counts
        case "settled": return try await prompt(words)?.settled() == true ? "recorded" : "withdrawn"
        case "cancel":
            for name in words.plain {
                guard let task = tasks[name] else { return "unknown task \(name)" }
                task.cancel()
            }
        case "end" where !words.plain.isEmpty: return await tasks[words.plain[0]]?.value ?? "unknown"
        // quiet [user=1001] [gone] by CLIENT: the number of questions
        case "quiet":
            let user = words.values["user"].flatMap(UInt32.init) ?? 1000
            let isGone = words.has("gone")
            return
                "\(await gate.askAtQuietMoment(user: user) { !isGone && $0 == requester.client.identifier ? requester : nil })"
        // session RESOURCE as NAME [notifying|starting]: of a monitor
        case "session":
            let monitor: MonitorAction? = words.has("notifying") ? .notify : words.has("starting") ? .start : nil
            let lease =
                switch resource {
                case .microphone: try await gate.microphoneGrant(for: requester, monitor: monitor).lease
                case .speechRecognition: try await gate.speechRecognitionGrant(for: requester).lease
                }
            leases[words.values["as"] ?? "it"] = lease
            return "\(lease.scope) \(lease.fidelity)"
        case "finish":
            for name in words.plain {
                guard let lease = leases[name] else { return "unknown lease \(name)" }
                await gate.finish(lease)
            }
        case "foreground": await gate.note(.foreground, of: requester.caller.process)
        case "background": await gate.note(.background, of: requester.caller.process)
        case "exit": await gate.processEnded(requester.caller.process)
        default: return nil
        }
        return "done"
    }

    /// Settings, mutes, policies, expiry and the log's verification.
    private func settle(_ words: Words) async throws -> String? {
        let (gate, requester, resource) = (gate, requester(words), words.resource ?? .microphone)
        let (key, caller, program) = (
            requester.key(for: resource), requester.caller, AllowedProgram(requester.caller.executable)
        )
        let scope = words.values["of"] == "user" ? MuteScope.user(caller.user) : .everyone
        switch words.verb {
        // allow RESOURCE [SCOPE] [FIDELITY] [shown] [checked] [denying=RESOURCE|resetting=RESOURCE]
        case "allow":
            let interruption = interruption(words)
            try await gate.decide(
                .authorized, for: key, program: program, client: words.has("checked") ? requester.client : nil,
                scope: words.first(Scope.self) ?? .whileInUse,
                fidelity: words.first(Fidelity.self) ?? .full,
                notice: words.has("shown") ? requester.settings(resource) : nil, by: caller,
                confirm: interruption.map { interrupt in { @Sendable _, _ in try await interrupt() } })
        case "deny": try await gate.decide(.denied, for: key, program: nil, by: caller)
        case "reset": try await gate.reset(key, by: caller)
        case "reset-all":
            for key in await gate.settledKeys(ofUser: caller.user) { try await gate.reset(key, by: caller) }
        // lower RESOURCE [SCOPE] [FIDELITY] [checked] [unknown]
        case "lower":
            let isLowered = try await gate.lower(
                key, words.first(Scope.self), words.first(Fidelity.self), program: words.has("unknown") ? nil : program,
                client: words.has("checked") ? requester.client : nil,
                notice: words.has("shown") ? requester.settings(resource) : nil, by: caller)
            return isLowered ? "lowered" : "no"
        // mute [of user]; unmute [of user] [managing]
        case "mute": return try await gate.mute(scope, by: caller) ? "muted" : "not permitted"
        case "unmute":
            return try await gate.unmute(scope, by: caller, managing: words.has("managing"))
                ? "unmuted" : "not permitted"
        // absent locked|switched|asleep [user=NUMBER]; absent nobody. Without a number the requester's user.
        case "absent":
            guard let absence = words.first(Absence.self) else {
                await gate.note(Absences())
                break
            }
            let user = words.values["user"].flatMap { UInt32($0) } ?? caller.user
            await gate.note(absence == .asleep ? Absences(isAsleep: true) : Absences(users: [user: absence]))
        // forbid [RESOURCE] [of CLIENT] [reason=…]; forbid nothing
        case "forbid": try await gate.apply(try Self.policy(words), source: PolicyProvenance(files: [:], broken: [:]))
        case "enforce": await gate.enforcePolicy()
        case "expire": await gate.expireGrants()
        // verify [altered]; verify finding RESOURCE denied|…|nothing
        case "verify":
            let found =
                words.has("finding") ? (words.has("nothing") ? [] : [decision(words)]) : try await ledger.decisions()
            await gate.ledgerWasVerified(words.has("altered") ? nil : found)
        default: return nil
        }
        return "done"
    }

    /// What happens while a grant in settings is being confirmed.
    private func interruption(_ words: Words) -> (@Sendable () async throws -> (Notice?, Caller))? {
        let (gate, requester) = (gate, requester(words))
        guard let resource = (words.values["denying"] ?? words.values["resetting"]).flatMap(Resource.init) else {
            return nil
        }
        let (key, isDenial) = (requester.key(for: resource), words.values["denying"] != nil)
        return {
            if isDenial {
                try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
            } else {
                try await gate.reset(key, by: requester.caller)
            }
            return (nil, requester.caller)
        }
    }
}
