import Foundation

/// The pure part of the gate: policy, decisions and single-use answers, and what follows from them.
///
/// Order of precedence: policy, the person's mute, a no, a program that cannot be trusted, a yes for this program, a yes
/// for one session. Whatever is left is `notDetermined`.
public struct DecisionBook: Sendable {
    public private(set) var policy: Policy
    public private(set) var isMuted: Bool
    public private(set) var decisions: [DecisionKey: Decision]
    var onceAnswers = OnceAnswers()
    var temporaryFidelity = TemporaryFidelity()
    let expiry: GrantExpiry
    /// Who recognises speech now. A yes to another one's name, or to none, is no yes to this one.
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
            // A yes for one session to the program as it is now does not need the old one.
            return onceStanding(key, requester) ?? .identityChanged(decision)
        }
        return onceStanding(key, requester) ?? .notDetermined
    }

    private func onceStanding(_ key: DecisionKey, _ requester: Requester) -> Standing? {
        onceAnswers.standing(of: key, for: requester.caller)
    }

    /// Whether the notice that was answered named who gets the audio now. At reduced fidelity nobody outside does.
    func knowsEngine(_ decision: Decision) -> Bool {
        guard let name = engine.recipient, decision.key.resource == .speechRecognition, let terms = decision.terms,
            terms.fidelity == .full
        else { return true }
        return terms.engine == name
    }

    private func allows(_ decision: Decision, _ executable: Executable) -> Bool {
        decision.program?.sha256 == executable.sha256 || carriesOver(decision, to: executable)
    }

    /// Whether the program was replaced by the system's package manager, at the place where it was allowed.
    func carriesOver(_ decision: Decision, to executable: Executable) -> Bool {
        guard let program = decision.program, decision.verdict == .authorized else { return false }
        return executable.isPackageManaged && program.path == executable.path && program.sha256 != executable.sha256
    }

    /// What the person allows, whether or not it has effect now.
    var yesKeys: Set<DecisionKey> {
        Set(decisions.values.filter { $0.verdict == .authorized }.map(\.key)).union(onceAnswers.keys)
    }

    /// Decisions whose yes has ended by itself, with the reason.
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

    /// Changes the terms of a yes and nothing else, such as when it was last used.
    public mutating func amend(_ decision: Decision) { decisions[decision.key] = decision }

    /// Notes which record made the decision, once that is known.
    mutating func note(record: UInt64, of decision: Decision) {
        guard let stored = decisions[decision.key], stored == decision else { return }
        decisions[decision.key]?.record = record
    }

    /// - Returns: whether there was an answer to take back.
    @discardableResult
    public mutating func remove(_ key: DecisionKey) -> Bool {
        temporaryFidelity.remove(key)
        let wasDecided = decisions.removeValue(forKey: key) != nil
        return onceAnswers.remove(key) || wasDecided
    }

    /// Forgets what was allowed to one process.
    ///
    /// - Returns: the keys whose status may have changed.
    public mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] {
        temporaryFidelity.processEnded(process)
        return onceAnswers.processEnded(process)
    }

    public mutating func apply(_ policy: Policy) { self.policy = policy }

    public mutating func setMuted(_ isMuted: Bool) { self.isMuted = isMuted }
}

extension DecisionBook {
    /// What it says about one key; the rest is left out.
    func excerpt(about key: DecisionKey) -> DecisionBook {
        var excerpt = DecisionBook(
            policy: policy, isMuted: isMuted, decisions: decisions[key].map { [$0] } ?? [], expiry: expiry,
            engine: engine)
        excerpt.onceAnswers = onceAnswers.excerpt(about: key)
        return excerpt
    }
}
