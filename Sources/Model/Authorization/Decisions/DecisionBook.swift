import Foundation

/// The pure part of the gate: policy, decisions and grants for one use, and the permissions that follow from them.
///
/// Order of precedence: policy, mute, a denial, an untrusted program, a grant for this program, a grant for one use,
/// otherwise `notDetermined`.
///
/// The decisions are the fold over the ledger's order: what a submitted change revokes is gone at once and stays so if
/// its write fails; what it grants is in force when it is durable and nothing was submitted after it that revokes it.
struct DecisionBook: Sendable {
    private(set) var policy: Policy
    private(set) var isMuted: Bool
    private var orders: [DecisionKey: DecisionOrder]
    var onceAnswers = OnceAnswers()
    var temporaryFidelity = TemporaryFidelity()
    /// Grants whose upgrade is being asked about. Until the answer the client sees what it saw before.
    var upgradesShown: Set<DecisionKey> = []
    let expiry: GrantExpiry
    /// What recognises speech now. A grant whose notice named another outside engine, or none, does not cover this one.
    let engine: SpeechEngine
    /// Who receives consent records. A grant whose notice did not name it does not cover it.
    let collector: RecordCollector?

    init(
        policy: Policy = Policy(), isMuted: Bool = false, decisions: [Decision] = [],
        expiry: GrantExpiry = GrantExpiry(), engine: SpeechEngine = .ofService, collector: RecordCollector? = nil
    ) {
        self.policy = policy
        self.isMuted = isMuted
        self.expiry = expiry
        self.engine = engine
        self.collector = collector
        orders = Dictionary(decisions.map { ($0.key, DecisionOrder(durable: $0)) }) { _, last in last }
    }

    /// The decision in force.
    subscript(key: DecisionKey) -> Decision? { orders[key]?.inForce }

    /// All decisions in force, in the order of their keys.
    var decisions: [Decision] { orders.values.compactMap(\.inForce).sorted { $0.key < $1.key } }

    func standing(of resource: Resource, for requester: Requester, at moment: Moment) -> Standing {
        let key = requester.key(for: resource)
        if let rule = policy.restriction(of: key, at: moment.date) { return .restricted(rule) }
        if isMuted { return .muted }
        let decision = self[key]
        if let decision, decision.verdict == .denied { return .denied(decision) }
        if case .untrusted(let reason) = requester.caller.evidence { return .untrusted(reason) }
        let executable = requester.caller.executable
        if let decision, let terms = decision.terms, expiry.reason(for: terms, at: moment) == nil {
            let additions = additions(to: terms, by: requester.client, resource)
            let isAllowed = allows(decision, executable)
            if isAllowed, additions.isEmpty { return .authorized(terms.permitting(requester.client)) }
            // A grant for one session covers the changed program and what its notice declared.
            return onceAnswers.standing(of: key, for: requester, engine, collector)
                ?? (isAllowed ? .termsWidened(decision, additions) : .identityChanged(decision))
        }
        return onceAnswers.standing(of: key, for: requester, engine, collector) ?? .notDetermined
    }

    /// The standing as the client sees it: with the fidelity that its process has now, temporary full fidelity included, and
    /// with a provisional always to the end of the question about it.
    func visibleStanding(of resource: Resource, for requester: Requester, at moment: Moment) -> Standing {
        let (key, standing) = (requester.key(for: resource), standing(of: resource, for: requester, at: moment))
        guard case .authorized(var terms) = standing else { return standing }
        if temporaryFidelity.isAllowed(key, requester.caller.process) { terms.fidelity = .full }
        if upgradesShown.contains(key) { terms.upgrade = .provisional }
        return .authorized(terms)
    }

    /// What the client declares now, and what recognises speech, as far as the grant does not cover it.
    ///
    /// - Parameter client: `nil`, or without a manifest: declares nothing.
    func additions(to terms: Terms, by client: Client?, _ resource: Resource) -> [Addition] {
        let declared = client?.declared(resource, in: terms.agreed.language) ?? terms.agreed
        return terms.agreed.additions(
            in: declared.recognised(by: engine, recordsTo: collector), resource, at: terms.fidelity)
    }

    private func allows(_ decision: Decision, _ executable: Executable) -> Bool {
        decision.program?.sha256 == executable.sha256 || carriesOver(decision, to: executable)
    }

    /// Whether the package manager replaced the allowed program, at the same path.
    func carriesOver(_ decision: Decision, to executable: Executable) -> Bool {
        guard let program = decision.program, decision.verdict == .authorized else { return false }
        return executable.isPackageManaged && program.path == executable.path && program.sha256 != executable.sha256
    }

    /// What the person allows, whether or not a policy restricts it.
    var grantedKeys: Set<DecisionKey> {
        Set(decisions.filter { $0.verdict == .authorized }.map(\.key)).union(onceAnswers.keys)
    }

    /// Grants that have expired, with the reason. A change that is being written decides first.
    mutating func expired(at moment: Moment) -> [(key: DecisionKey, reason: ExpiryReason)] {
        for key in orders.keys { settle(key) }
        return decisions.compactMap { decision in
            guard let terms = decision.terms, orders[decision.key]?.writing == nil else { return nil }
            return expiry.reason(for: terms, at: moment).map { (decision.key, $0) }
        }
    }

    /// Whether there is an answer, or one is being written.
    func hasAnswer(for key: DecisionKey) -> Bool {
        orders[key]?.hasDecision == true || onceAnswers.hasAnswer(for: key)
    }

    /// Whether some process has a grant that is not stored: for one use, or of full fidelity for its next session.
    func hasPassingGrant(_ key: DecisionKey) -> Bool {
        onceAnswers.hasAnswer(for: key) || temporaryFidelity.isAllowed(key)
    }

    /// Keys with an answer, or with one that is being written.
    var answeredKeys: Set<DecisionKey> {
        Set(orders.lazy.filter { $0.value.hasDecision }.map(\.key)).union(onceAnswers.keys)
    }

    /// Whether the decision in force is durable: no change of it is being written, and none has failed.
    mutating func isDurable(_ key: DecisionKey) -> Bool {
        settle(key)
        return orders[key]?.isDurable == true
    }

    /// A decision was submitted. What it revokes is gone at once.
    mutating func submitted(_ change: DecisionChange, _ ticket: Ticket) {
        let (key, decision) = (change.key, change.decision)
        orders[key, default: DecisionOrder()].submitted(decision, ticket)
        // Both may permit full fidelity.
        if decision?.terms?.fidelity != .full {
            onceAnswers.remove(key)
            temporaryFidelity.remove(key)
        }
    }

    /// A change was submitted that neither grants nor revokes.
    mutating func submitted(amendment decision: Decision, _ ticket: Ticket) {
        orders[decision.key]?.submitted(decision, ticket, isAmendment: true)
    }

    /// Puts in force what has become durable.
    mutating func settle(_ key: DecisionKey) {
        if orders[key]?.settle() == true { onceAnswers.remove(key) }
        if orders[key]?.hasDecision == false { orders[key] = nil }
    }

    /// A change of the key that is being written.
    mutating func writing(_ key: DecisionKey) -> Ticket? {
        settle(key)
        return orders[key]?.writing
    }

    /// Forgets these grants in force; denials stay.
    ///
    /// - Returns: whether there were any.
    mutating func dropGrants(where isDropped: (DecisionKey) -> Bool) -> Bool {
        let keys = orders.filter { $0.value.inForce?.verdict == .authorized && isDropped($0.key) }.keys
        for key in keys { orders[key] = nil }
        return !keys.isEmpty
    }

    /// The durable grant, for an amendment; `nil` while a change is being written, and after a denial that was not.
    mutating func amendable(_ key: DecisionKey) -> Decision? {
        guard writing(key) == nil, orders[key]?.inForce?.verdict == .authorized else { return nil }
        return orders[key]?.durable
    }

    /// A session begins to use the grant.
    mutating func used(_ key: DecisionKey, at moment: Moment) { orders[key]?.lastUse = moment }

    /// The processes with a grant that ends with them.
    var concernedProcesses: Set<ProcessIdentity> { onceAnswers.processes.union(temporaryFidelity.processes) }

    /// - Returns: the keys whose status or fidelity may have changed.
    mutating func processEnded(_ process: ProcessIdentity) -> Set<DecisionKey> {
        Set(onceAnswers.processEnded(process) + temporaryFidelity.processEnded(process))
    }

    mutating func apply(_ policy: Policy) { self.policy = policy }

    mutating func setMuted(_ isMuted: Bool) { self.isMuted = isMuted }

    /// The part about one key.
    func excerpt(about key: DecisionKey) -> DecisionBook {
        var excerpt = DecisionBook(
            policy: policy, isMuted: isMuted, expiry: expiry, engine: engine, collector: collector)
        excerpt.orders[key] = orders[key]
        excerpt.onceAnswers = onceAnswers.excerpt(about: key)
        excerpt.temporaryFidelity = temporaryFidelity.excerpt(about: key)
        excerpt.upgradesShown = upgradesShown.intersection([key])
        return excerpt
    }
}

/// The changes of one decision in the ledger's order, from the last durable one on.
private struct DecisionOrder: Sendable {
    private struct Change: Sendable {
        /// `nil`: removes it.
        var decision: Decision?
        /// `nil` if the write failed.
        var ticket: Ticket?
        let isAmendment: Bool
    }

    private(set) var durable: Decision?
    private var later: [Change] = []
    /// When a session last used the grant; recorded at most once a day.
    var lastUse: Moment?

    init(durable: Decision? = nil) { self.durable = durable }

    /// What the durable decision and all later changes permit.
    var inForce: Decision? {
        var decision = durable
        for change in later where !change.isAmendment { decision = decision.limited(by: change.decision) }
        if let lastUse { decision?.terms?.usedAt = lastUse }
        return decision
    }

    /// The first change whose write has no outcome yet.
    var writing: Ticket? { later.lazy.compactMap(\.ticket).first { $0.outcome == nil } }

    var hasDecision: Bool { durable != nil || later.contains { $0.decision != nil || $0.ticket == nil } }

    var isDurable: Bool { later.allSatisfy(\.isAmendment) }

    mutating func submitted(_ decision: Decision?, _ ticket: Ticket, isAmendment: Bool = false) {
        later.append(Change(decision: decision, ticket: ticket, isAmendment: isAmendment))
    }

    /// - Returns: whether a grant became durable.
    mutating func settle() -> Bool {
        var isGranted = false
        while let place = later.firstIndex(where: { $0.ticket?.outcome != nil }),
            let outcome = later[place].ticket?.outcome
        {
            switch outcome {
            case .success(let record):
                var decision = later[place].decision
                if decision?.record == nil { decision?.record = record }
                durable = decision
                guard !later[place].isAmendment else {
                    later.remove(at: place)
                    continue
                }
                later.removeFirst(place + 1)
                lastUse = nil
                isGranted = durable?.verdict == .authorized
            case .failure:
                let failed = later.remove(at: place)
                guard !failed.isAmendment else { continue }
                // Failed changes in a row limit as one, so that they do not add up.
                if place > 0, later[place - 1].ticket == nil {
                    later[place - 1].decision = later[place - 1].decision.limited(by: failed.decision)
                } else {
                    later.insert(Change(decision: failed.decision, ticket: nil, isAmendment: false), at: place)
                }
            }
        }
        return isGranted
    }
}

extension Decision? {
    /// What is left of it after a change that is not durable: what both permit.
    fileprivate func limited(by change: Decision?) -> Decision? {
        guard var decision = self else { return change?.verdict == .denied ? change : nil }
        guard let terms = decision.terms, change?.verdict != .denied else {
            return decision.verdict == .denied ? decision : change
        }
        guard let limit = change?.terms else { return nil }
        decision.terms?.scope = terms.scope == .always ? limit.scope : terms.scope
        if limit.fidelity == .reduced { decision.terms?.fidelity = .reduced }
        decision.terms?.agreed = terms.agreed.limited(by: limit.agreed, decision.key.resource)
        return decision
    }
}
