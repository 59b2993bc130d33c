@testable import Authorization
import Foundation
import TestSupport
import Testing

extension RandomWorld {
    /// One operation, and what must come of it.
    mutating func step() async throws -> String {
        let requester = someone()
        let resource = pick(Resource.allCases)
        isFailing = Int.random(in: 0..<40, using: &random) == 0
        // Killed before the first write, or between the first and the second.
        if isFailing { ledger.fail(after: Int.random(in: 0...1, using: &random)) }
        place += 1
        let name: String
        do {
            name = try await operation(resource, requester)
        } catch is RecordingLedger.Failure {
            name = "an operation that could not be recorded"
        }
        absorb()
        if isFailing {
            try await restart()
            return "\(name), then a crash"
        }
        return name
    }

    private mutating func operation(_ resource: Resource, _ requester: Requester) async throws -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return await request(resource, requester)
        case 20..<26: return await requestAlways(resource, requester)
        case 26..<32: return await temporaryFull(requester)
        case 32..<42: return try await settings(resource, requester)
        case 42..<46:
            try await gate.reset(requester.key(for: resource), by: requester.caller)
            absorb()
            expect(requester, resource, [.notDetermined], "reset")
            return "reset"
        case 46..<50: return try await policy(resource, requester)
        case 50..<52: return try await turnMute(requester)
        case 52..<68: return await begin(resource, requester)
        case 68..<80: return await end()
        case 80..<89: return hear()
        case 89..<92: return await quietMoment()
        case 92..<95: return moveBetweenGrounds(requester.caller.process)
        case 95..<96:
            return Bool.random(using: &random)
                ? await processEnds(requester.caller.process) : await staysAway(requester.caller.process)
        case 96..<97:
            try await restart()
            return "restart"
        default: return try await time()
        }
    }

    /// The person's decision, whatever was recorded; a policy and a mute override it.
    private func expect(
        _ requester: Requester, _ resource: Resource, _ statuses: [AuthorizationStatus], _ operation: String
    ) {
        guard !isFailing, !model.isMuted, !model.isRestricted(requester.key(for: resource)) else { return }
        #expect(statuses.contains(model.status(resource, requester)), "\(place): \(operation)")
    }

    private mutating func request(_ resource: Resource, _ requester: Requester) async -> String {
        let before = model.status(resource, requester)
        answers.next = pick(Answer.allCases + [nil])
        let refusal = await gate.request(resource, for: requester)
        let decisions = absorb()
        guard !isFailing else { return "request" }
        let isAsked = before == .notDetermined && requester.presence == .foreground
        let counts = isAsked && [.whileInUse, .once, .deny].contains(answers.next)
        #expect(decisions.count == (counts ? 1 : 0), "request answered \(String(describing: answers.next))")
        #expect(
            refusal.status == model.status(resource, requester), "request answered \(String(describing: answers.next))")
        return "request"
    }

    private func holdsStoredYes(_ resource: Resource, _ requester: Requester) -> Bool {
        let key = requester.key(for: resource)
        return model.storedYes(key)?.sha256 == requester.caller.executable.sha256 && model.isInUse(key)
    }

    private mutating func requestAlways(_ resource: Resource, _ requester: Requester) async -> String {
        let key = requester.key(for: resource)
        answers.next = pick([.whileInUse, .once, .deny, nil])
        _ = await gate.requestAlways(resource, for: requester)
        absorb()
        guard !isFailing else { return "request always" }
        if holdsStoredYes(resource, requester), model.status(resource, requester) == .authorized {
            #expect(model.upgrade(key) != .notRequested || model.storedYes(key)?.scope == .always)
        }
        #expect(model.storedYes(key)?.scope != .always || model.upgrade(key) == .asked, "always without the question")
        return "request always"
    }

    private mutating func temporaryFull(_ requester: Requester) async -> String {
        let resource = Resource.speechRecognition
        let terms = model.terms(resource, requester)
        let has = model.temporaryFull(requester.key(for: resource), requester.caller.process) != nil
        let purpose = pick(["note", "unknown"])
        answers.next = pick([.once, .later, .always, nil])
        let refusal = await gate.requestTemporaryFullFidelity(purposeKey: purpose, for: requester)
        absorb()
        guard !isFailing else { return "temporary full" }
        let mayBe =
            terms?.fidelity == .reduced && !has && purpose == "note" && requester.presence == .foreground
            && answers.next == .once
        #expect((refusal == nil) == mayBe, "\(place): temporary full for \(purpose): \(refusal as Any)")
        return "temporary full"
    }

    private mutating func settings(_ resource: Resource, _ requester: Requester) async throws -> String {
        let key = requester.key(for: resource)
        guard Int.random(in: 0..<3, using: &random) > 0 else {
            try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
            absorb()
            expect(requester, resource, [.denied], "deny")
            return "deny"
        }
        settingsSHA256 = requester.caller.executable.sha256
        let scope = pick([Scope.whileInUse, .always])
        let hasYes = model.storedYes(key) != nil
        do {
            try await gate.decide(
                .authorized, for: key, program: AllowedProgram(requester.caller.executable), scope: scope,
                fidelity: pick(Fidelity.allCases), notice: requester.settings(resource), by: requester.caller)
            #expect(scope != .always || hasYes, "always without while using before")
            absorb()
            expect(requester, resource, [.authorized], "allow")
        } catch is AuthorizationError {
            #expect(scope == .always && !hasYes)
        }
        return "allow \(scope)"
    }

    private mutating func policy(_ resource: Resource, _ requester: Requester) async throws -> String {
        // A policy is in force whether it can be recorded or not, so this disk does not fail.
        ledger.recover()
        try await put(Bool.random(using: &random) ? [requester.key(for: resource)] : [])
        return "policy"
    }

    private mutating func turnMute(_ requester: Requester) async throws -> String {
        if model.isMuted || Bool.random(using: &random) {
            try await gate.unmute(.everyone, by: requester.caller, managing: true)
            absorb()
            #expect(isFailing || !model.isMuted)
            return "unmute"
        }
        try await gate.mute(.everyone, by: requester.caller)
        absorb()
        #expect(isFailing || model.isMuted)
        return "mute"
    }

    private mutating func begin(_ resource: Resource, _ requester: Requester) async -> String {
        let terms = model.terms(resource, requester)
        let mayBegin = terms.map { requester.presence == .foreground || $0.scope == .always } ?? false
        do {
            let lease: Lease
            switch resource {
            case .microphone:
                let grant = try await gate.microphoneGrant(for: requester)
                lease = grant.lease
            case .speechRecognition:
                let grant = try await gate.speechRecognitionGrant(for: requester)
                lease = grant.lease
            }
            #expect(mayBegin, "a grant without an answer that permits it")
            let key = requester.key(for: resource)
            absorb()
            model.append(
                .leaseBegun(
                    lease.identifier, key, requester.caller.process, sha256: requester.caller.executable.sha256,
                    lease.scope, lease.fidelity))
            if lease.scope != .once { model.idle.noted(key, at: clock.now) }
            #expect(lease.scope == terms?.scope && lease.fidelity == terms?.fidelity)
            sessions.append(Session(lease: lease, requester: requester))
        } catch {
            #expect(!mayBegin, "an authorization without a grant: \(error)")
        }
        return "begin"
    }

    private mutating func end() async -> String {
        guard !sessions.isEmpty else { return "nothing" }
        let session = sessions.remove(at: Int.random(in: 0..<sessions.count, using: &random))
        await gate.finish(session.lease)
        model.append(.leaseEnded(session.lease.identifier))
        return "end"
    }

    /// A frame comes from the device: it may be handed on only under a live grant, and only while the client is in use.
    private mutating func hear() -> String {
        guard !sessions.isEmpty else { return "nothing" }
        let index = Int.random(in: 0..<sessions.count, using: &random)
        let (lease, requester) = (sessions[index].lease, sessions[index].requester)
        let presence = presence(requester.caller.process)
        let isHeard = lease.isLive && lease.ground(in: presence) != nil
        let live = model.live(lease.identifier)
        #expect(isHeard == (live.map { presence == .foreground || $0.scope == .always } ?? false), "a frame")
        return "frame"
    }

    private mutating func quietMoment() async -> String {
        answers.next = pick([.always, .whileInUse, .deny, .later, nil])
        // These programs are on disk, whichever run.
        let onDisk = Self.base.filter { $0.caller.executable.sha256 == "aa" }
        func registered(_ client: ClientIdentifier) -> Requester? { onDisk.first { $0.client.identifier == client } }
        let permitted = Self.keys.filter { key in
            guard let requester = registered(key.client) else { return false }
            return holdsStoredYes(key.resource, requester) && model.status(key.resource, requester) == .authorized
        }
        let upgrades = permitted.filter { model.upgrade($0) == .provisional }
        let reviews = permitted.filter(model.isReviewDue)
        let isQuiet = !sessions.contains { $0.lease.isLive }
        let shown = await gate.askAtQuietMoment(user: 1000) { client in
            onDisk.first { $0.client.identifier == client }
        }
        absorb()
        guard !isFailing else { return "quiet moment" }
        let questions = Set(upgrades.map(\.client)).count + Set(reviews.map(\.client)).count
        #expect(shown == (isQuiet ? questions : 0), "\(place): questions at a quiet moment \(upgrades) \(reviews)")
        for key in upgrades where isQuiet { #expect(model.upgrade(key) == .asked) }
        for key in reviews where isQuiet {
            #expect(!model.isReviewDue(key))
            #expect(model.storedYes(key)?.scope == scopeAfterReview, "\(place): a review answered")
        }
        return "quiet moment"
    }

    /// What is left of an always after its review was answered.
    private var scopeAfterReview: Scope? {
        switch answers.next {
        case .deny: nil
        case .whileInUse: .whileInUse
        default: .always
        }
    }

    private mutating func moveBetweenGrounds(_ process: ProcessIdentity) -> String {
        if background.remove(process) == nil { background.insert(process) }
        return "to the \(presence(process))"
    }

    private mutating func processEnds(_ process: ProcessIdentity) async -> String {
        await end(process)
        model.append(.processEnded(process))
        return "process ends"
    }

    /// In the background, seen there now and again when the time is over.
    private mutating func staysAway(_ process: ProcessIdentity) async -> String {
        background.insert(process)
        await gate.note(.background, of: process)
        clock.pass(10_000)
        model.pass(10_000)
        await gate.note(.background, of: process)
        model.append(.outOfUse(process))
        return "stays away"
    }

    private mutating func time() async throws -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3:
            let days = Int64.random(in: 0...50, using: &random)
            clock.pass(days * Gate.day)
            model.pass(days * Gate.day)
            if Bool.random(using: &random) { await gate.expireGrants() }
            return "\(days) days pass"
        case 3, 4:
            clock.setWall(by: Int64.random(in: -100...100, using: &random) * Gate.day)
            return "the clock is set"
        default:
            boots += 1
            clock.reboot(number: boots, off: Int64.random(in: -20...60, using: &random) * Gate.day)
            try await restart()
            return "reboot"
        }
    }
}
