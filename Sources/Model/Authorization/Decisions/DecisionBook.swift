import Foundation

/// The pure part of the gate: policy, decisions and grants for one session, and the permissions that follow from them.
///
/// Order of precedence: policy, mute, a denial, an untrusted program, a grant for this program, a grant for one session,
/// otherwise `notDetermined`.
public struct DecisionBook: Sendable {
    public private(set) var policy: Policy
    public private(set) var isMuted: Bool
    public private(set) var decisions: [DecisionKey: Decision]
    var onceAnswers = OnceAnswers()
    var temporaryFidelity = TemporaryFidelity()
    let expiry: GrantExpiry
    /// A grant that named another outside engine, or none, does not cover this one.
    let engine: SpeechEngine

    public init(
        policy: Policy = Policy(), isMuted: Bool = false, decisions: [Decision] = [],
        expiry: GrantExpiry = GrantExpiry(), engine: SpeechEngine = .ofService
    ) {
        self.policy = policy
        self.isMuted = isMuted
        self.expiry = expiry
        self.engine = engine
        self.decisions = Dictionary(decisions.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    }

    public func standing(of resource: Resource, for requester: Requester, at moment: Moment) -> Standing {
        let key = requester.key(for: resource)
        if let rule = policy.restriction(of: key, at: moment.date) { return .restricted(rule) }
        if isMuted { return .muted }
        let decision = decisions[key]
        if let decision, decision.verdict == .denied { return .denied(decision) }
        if case .untrusted(let reason) = requester.caller.evidence { return .untrusted(reason) }
        let executable = requester.caller.executable
        if let decision, let terms = decision.terms, expiry.reason(for: terms, at: moment) == nil,
            knowsEngine(decision)
        {
            if allows(decision, executable) { return .authorized(terms) }
            // A grant for one session covers the changed program.
            return onceAnswers.standing(of: key, for: requester.caller) ?? .identityChanged(decision)
        }
        return onceAnswers.standing(of: key, for: requester.caller) ?? .notDetermined
    }

    /// Whether the answered notice named the engine. At reduced fidelity an outside engine receives nothing.
    func knowsEngine(_ decision: Decision) -> Bool {
        guard let name = engine.recipient, decision.key.resource == .speechRecognition, let terms = decision.terms,
            terms.fidelity == .full
        else { return true }
        return terms.engine == name
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
        Set(decisions.values.filter { $0.verdict == .authorized }.map(\.key)).union(onceAnswers.keys)
    }

    /// Grants that have expired, with the reason.
    public func expired(at moment: Moment) -> [(DecisionKey, ExpiryReason)] {
        decisions.values.compactMap { decision in
            decision.terms.flatMap { expiry.reason(for: $0, at: moment) }.map { (decision.key, $0) }
        }
    }

    public mutating func store(_ decision: Decision) {
        decisions[decision.key] = decision
        onceAnswers.remove(decision.key)
        if decision.terms?.fidelity != .full { temporaryFidelity.remove(decision.key) }
    }

    /// Changes the terms of a grant and nothing else, such as when it was last used.
    public mutating func amend(_ decision: Decision) { decisions[decision.key] = decision }

    /// Notes which record made the decision.
    mutating func note(record: UInt64, of decision: Decision) {
        guard let stored = decisions[decision.key], stored == decision else { return }
        decisions[decision.key]?.record = record
    }

    /// - Returns: whether there was an answer.
    @discardableResult
    public mutating func remove(_ key: DecisionKey) -> Bool {
        temporaryFidelity.remove(key)
        let wasDecided = decisions.removeValue(forKey: key) != nil
        return onceAnswers.remove(key) || wasDecided
    }

    /// - Returns: the keys whose status may have changed.
    public mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] {
        temporaryFidelity.processEnded(process)
        return onceAnswers.processEnded(process)
    }

    public mutating func apply(_ policy: Policy) { self.policy = policy }

    public mutating func setMuted(_ isMuted: Bool) { self.isMuted = isMuted }

    /// The part about one key.
    func excerpt(about key: DecisionKey) -> DecisionBook {
        var excerpt = DecisionBook(
            policy: policy, isMuted: isMuted, decisions: decisions[key].map { [$0] } ?? [], expiry: expiry,
            engine: engine)
        excerpt.onceAnswers = onceAnswers.excerpt(about: key)
        return excerpt
    }
}
