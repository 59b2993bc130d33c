/// The pure part of the gate: policy, decisions and single-use answers, and what follows from them.
///
/// Order of precedence: policy, then a no, then a yes for these bytes of the program, then a yes for one session.
/// Whatever is left is `notDetermined`.
public struct DecisionBook: Sendable {
    public private(set) var policy: Policy
    public private(set) var decisions: [DecisionKey: Decision]
    /// Yeses for one session, each of the process that asked for it.
    private var once: [DecisionKey: [ProcessIdentity: OnceAnswer]] = [:]

    private struct OnceAnswer: Sendable {
        let executableSHA256: String
        /// The lease of the one session, once that has begun.
        var usedBy: String?
    }

    public init(policy: Policy = Policy(), decisions: [Decision] = []) {
        self.policy = policy
        self.decisions = Dictionary(decisions.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    }

    public func standing(of resource: Resource, for requester: Requester) -> Standing {
        let key = requester.key(for: resource)
        if let rule = policy.restriction(of: key) { return .restricted(rule) }
        let decision = decisions[key]
        if let decision, decision.verdict == .denied { return .denied(decision) }
        let caller = requester.caller
        if decision?.executableSHA256 == caller.executable.sha256 { return .authorized(.whileInUse) }
        if let answer = once[key]?[caller.process], answer.executableSHA256 == caller.executable.sha256 {
            return answer.usedBy == nil ? .authorized(.once) : .inUseOnce
        }
        return decision.map(Standing.identityChanged) ?? .notDetermined
    }

    public mutating func store(_ decision: Decision) {
        decisions[decision.key] = decision
        once[decision.key] = nil
    }

    /// - Returns: whether there was an answer to take back.
    @discardableResult
    public mutating func remove(_ key: DecisionKey) -> Bool {
        let wasDecided = decisions.removeValue(forKey: key) != nil
        return once.removeValue(forKey: key)?.isEmpty == false || wasDecided
    }

    /// Keeps a yes for the requester's next session only.
    public mutating func allowOnce(_ resource: Resource, for requester: Requester) {
        once[requester.key(for: resource), default: [:]][requester.caller.process] = OnceAnswer(
            executableSHA256: requester.caller.executable.sha256)
    }

    /// Marks the single use as begun, so that no second session can stand on it.
    public mutating func beginOnce(_ key: DecisionKey, of process: ProcessIdentity, lease: String) {
        once[key]?[process]?.usedBy = lease
    }

    /// Ends the single use: the status is `notDetermined` again.
    ///
    /// - Returns: whether there was one to end.
    public mutating func endOnce(_ key: DecisionKey, of process: ProcessIdentity, lease: String) -> Bool {
        guard once[key]?[process]?.usedBy == lease else { return false }
        once[key]?[process] = nil
        return true
    }

    public mutating func apply(_ policy: Policy) {
        self.policy = policy
    }
}
