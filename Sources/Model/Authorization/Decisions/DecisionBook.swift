import Base
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
    private(set) var mutes: Mutes
    /// By user, so that what one user stores costs no other.
    private var orders: [UInt32: [DecisionKey: DecisionOrder]] = [:]
    var onceAnswers = ProcessTable<OnceAnswer>()
    var temporaryFidelity = ProcessTable<TemporaryFidelity>()
    /// Grants whose upgrade is being asked about. Until the answer the client sees what it saw before.
    var upgradesShown: Set<DecisionKey> = []
    let expiry: GrantExpiry
    /// What recognises speech now. A grant whose notice named another outside engine, or none, does not cover this one.
    let engine: SpeechEngine
    /// Who receives consent records. A grant whose notice did not name it does not cover it.
    let collector: RecordCollector?

    init(
        policy: Policy = Policy(), mutes: Mutes = Mutes(), decisions: [Decision] = [],
        expiry: GrantExpiry = GrantExpiry(), engine: SpeechEngine = .ofService, collector: RecordCollector? = nil
    ) {
        self.policy = policy
        self.mutes = mutes
        self.expiry = expiry
        self.engine = engine
        self.collector = collector
        for decision in decisions { self[order: decision.key] = DecisionOrder(durable: decision) }
    }

    private subscript(order key: DecisionKey) -> DecisionOrder? {
        get { orders[key.user]?[key] }
        _modify {
            yield &orders[key.user, default: [:]][key]
            if orders[key.user]?.isEmpty == true { orders[key.user] = nil }
        }
    }

    /// The decision in force.
    subscript(key: DecisionKey) -> Decision? { self[order: key]?.inForce }

    /// The user's decisions in force, in the order of their keys.
    func decisions(ofUser user: UInt32) -> [Decision] {
        (orders[user] ?? [:]).values.compactMap(\.inForce).sorted { $0.key < $1.key }
    }

    func standing(of resource: Resource, for requester: Requester, at moment: Moment) -> Standing {
        let key = requester.key(for: resource)
        if let rule = policy.restriction(of: key, at: moment.date) { return .restricted(rule) }
        if let mute = mutes.covering(key.user) { return .muted(mute) }
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
        if temporaryFidelity[key, requester.caller.process] != nil { terms.fidelity = .full }
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
        Set(
            orders.values.lazy.flatMap { $0 }.filter { $0.value.inForce?.verdict == .authorized }.map(\.key)
        ).union(onceAnswers.keys)
    }

    /// Grants of all users that have expired, with the reason.
    mutating func expired(at moment: Moment) -> [(key: DecisionKey, reason: ExpiryReason)] {
        var expired: [(key: DecisionKey, reason: ExpiryReason)] = []
        for key in orders.values.flatMap(\.keys) {
            if let reason = reasonOfExpiry(key, at: moment) { expired.append((key, reason)) }
        }
        return expired.sorted { $0.key < $1.key }
    }

    /// Why the grant has expired; `nil` if it has not. A change that is being written decides first.
    mutating func reasonOfExpiry(_ key: DecisionKey, at moment: Moment) -> ExpiryReason? {
        settle(key)
        guard let order = self[order: key], let terms = order.inForce?.terms, order.writing == nil else { return nil }
        return expiry.reason(for: terms, at: moment)
    }

    /// Whether there is an answer, or one is being written.
    func hasAnswer(for key: DecisionKey) -> Bool {
        self[order: key]?.hasDecision == true || onceAnswers.contains(key)
    }

    /// Whether some process has a grant that is not stored: for one use, or of full fidelity for its next session.
    func hasPassingGrant(_ key: DecisionKey) -> Bool {
        onceAnswers.contains(key) || temporaryFidelity.contains(key)
    }

    /// The user's keys with an answer, or with one that is being written.
    func answeredKeys(ofUser user: UInt32) -> Set<DecisionKey> {
        Set((orders[user] ?? [:]).lazy.filter { $0.value.hasDecision }.map(\.key))
            .union(onceAnswers.keys.lazy.filter { $0.user == user })
    }

    /// Keys of a client with an answer, or with one that is being written, of all users.
    func answeredKeys(of client: ClientIdentifier) -> Set<DecisionKey> {
        let users = Set(orders.keys).union(onceAnswers.keys.lazy.filter { $0.client == client }.map(\.user))
        let keys = users.flatMap { user in
            Resource.allCases.map { DecisionKey(user: user, client: client, resource: $0) }
        }
        return Set(keys.filter(hasAnswer))
    }

    /// The oldest decision of the user about a program without a manifest, if there are as many as there may be. Decisions
    /// whose removal is being written do not count.
    func oldestOfUnregistered(ofUser user: UInt32, limit: Int) -> Decision? {
        let decisions = (orders[user] ?? [:]).filter { $0.key.client.isUnregistered && !$0.value.isBeingRemoved }
            .values.compactMap(\.inForce)
        guard decisions.count >= limit else { return nil }
        return decisions.min { ($0.decidedAt, $0.key) < ($1.decidedAt, $1.key) }
    }

    /// Whether the decision in force is durable: no change of it is being written, and none has failed.
    mutating func isDurable(_ key: DecisionKey) -> Bool {
        settle(key)
        return self[order: key]?.isDurable == true
    }

    /// A decision was submitted. What it revokes is gone at once.
    mutating func submitted(_ change: DecisionChange, _ ticket: Ticket) {
        let (key, decision) = (change.key, change.decision)
        var order = self[order: key] ?? DecisionOrder()
        order.submitted(decision, ticket)
        self[order: key] = order
        // Both may permit full fidelity.
        if decision?.terms?.fidelity != .full {
            onceAnswers.remove(key)
            temporaryFidelity.remove(key)
        }
    }

    /// A change was submitted that neither grants nor revokes.
    mutating func submitted(amendment decision: Decision, _ ticket: Ticket) {
        self[order: decision.key]?.submitted(decision, ticket, isAmendment: true)
    }

    /// Puts in force what has become durable.
    mutating func settle(_ key: DecisionKey) {
        if self[order: key]?.settle() == true { onceAnswers.remove(key) }
        if self[order: key]?.hasDecision == false { self[order: key] = nil }
    }

    /// A change of the key that is being written.
    mutating func writing(_ key: DecisionKey) -> Ticket? {
        settle(key)
        return self[order: key]?.writing
    }

    /// Puts these grants out of force; denials stay. A withdrawal of one is still recorded: it may be found intact later.
    ///
    /// - Returns: whether there were any.
    mutating func dropGrants(where isDropped: (DecisionKey) -> Bool) -> Bool {
        let keys = orders.values.flatMap { orders in
            orders.filter { $0.value.inForce?.verdict == .authorized && isDropped($0.key) }.keys
        }
        for key in keys { self[order: key]?.drop() }
        return !keys.isEmpty
    }

    /// The durable grant, for an amendment; `nil` while a change is being written, and after a denial that was not.
    mutating func amendable(_ key: DecisionKey) -> Decision? {
        guard writing(key) == nil, self[order: key]?.inForce?.verdict == .authorized else { return nil }
        return self[order: key]?.durable
    }

    /// A session begins to use the grant.
    mutating func used(_ key: DecisionKey, at moment: Moment) { self[order: key]?.lastUse = moment }

    /// The processes with a grant that ends with them.
    var concernedProcesses: Set<ProcessIdentity> { onceAnswers.processes.union(temporaryFidelity.processes) }

    /// - Returns: the keys whose status or fidelity may have changed.
    mutating func processEnded(_ process: ProcessIdentity) -> Set<DecisionKey> {
        Set(onceAnswers.processEnded(process) + temporaryFidelity.processEnded(process))
    }

    mutating func apply(_ policy: Policy) { self.policy = policy }

    mutating func apply(_ mutes: Mutes) { self.mutes = mutes }

    /// The part about one key.
    func excerpt(about key: DecisionKey) -> DecisionBook {
        var excerpt = emptyExcerpt(ofUser: key.user)
        excerpt[order: key] = self[order: key]
        excerpt.onceAnswers = onceAnswers.excerpt(about: key)
        excerpt.temporaryFidelity = temporaryFidelity.excerpt(about: key)
        if upgradesShown.contains(key) { excerpt.upgradesShown = [key] }
        return excerpt
    }

    /// The part about one user.
    func excerpt(ofUser user: UInt32) -> DecisionBook {
        var excerpt = emptyExcerpt(ofUser: user)
        excerpt.orders[user] = orders[user]
        excerpt.onceAnswers = onceAnswers.excerpt(ofUser: user)
        excerpt.temporaryFidelity = temporaryFidelity.excerpt(ofUser: user)
        excerpt.upgradesShown = upgradesShown.filter { $0.user == user }
        return excerpt
    }

    private func emptyExcerpt(ofUser user: UInt32) -> DecisionBook {
        DecisionBook(
            policy: policy, mutes: mutes.excerpt(ofUser: user), expiry: expiry, engine: engine, collector: collector)
    }
}
