/// The pure part of the gate: policy, decisions and single-use answers, and what follows from them.
///
/// Order of precedence: policy, then a no, then a yes for these bytes of the program, then a yes for one session.
/// Whatever is left is `notDetermined`.
public struct DecisionBook: Sendable {
    public private(set) var policy: Policy
    public private(set) var decisions: [DecisionKey: Decision]
    private var once: [DecisionKey: OnceAnswer] = [:]

    /// A yes for one session belongs to the process that asked for it.
    private struct OnceAnswer: Sendable {
        let process: ProcessIdentity
        let executableSHA256: String
        var isUsed: Bool
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
        if let answer = once[key], answer.process == caller.process,
            answer.executableSHA256 == caller.executable.sha256
        {
            return answer.isUsed ? .inUseOnce : .authorized(.once)
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
        return once.removeValue(forKey: key) != nil || wasDecided
    }

    /// Keeps a yes for the requester's next session only.
    public mutating func allowOnce(_ resource: Resource, for requester: Requester) {
        once[requester.key(for: resource)] = OnceAnswer(
            process: requester.caller.process, executableSHA256: requester.caller.executable.sha256, isUsed: false)
    }

    /// Marks the single use as begun, so that no second session can stand on it.
    public mutating func beginOnce(_ key: DecisionKey) {
        once[key]?.isUsed = true
    }

    /// Ends the single use: the status is `notDetermined` again.
    ///
    /// - Returns: whether there was one to end.
    public mutating func endOnce(_ key: DecisionKey) -> Bool {
        guard once[key]?.isUsed == true else { return false }
        once[key] = nil
        return true
    }

    public mutating func apply(_ policy: Policy) {
        self.policy = policy
    }
}
