/// What is written down, each where it happens.
public enum LedgerEvent: Sendable {
    /// A prompt is about to be shown; holds the notice word for word.
    case noticeShown(Prompt)
    /// The person said yes.
    case granted(Requester, Resource, Scope, Indication, notice: UInt64)
    /// The person said no.
    case denied(Requester, Resource, Indication, notice: UInt64)
    /// The person wants to be asked later.
    case deferred(Requester, Resource, Indication, notice: UInt64)
    /// The person decided in settings, without a prompt.
    case decidedInSettings(DecisionKey, Verdict, by: Caller)
    /// The person took an answer back: the status is `notDetermined` again.
    case withdrawn(DecisionKey, by: Caller)
    /// A request was refused without a new decision. `repeated`: how many refusals of the same kind went unrecorded
    /// since the last one.
    case accessBlocked(Requester, Resource, RefusalCode, repeated: Int)
    /// An administrator's policy came into force.
    case policyChanged(Policy, source: PolicyProvenance)
    /// A session is about to listen; nothing has been heard yet.
    case sessionStarted(SessionDescription)
    case sessionStopped(SessionDescription, SessionOutcome)
    /// The recogniser of a session died or gave up.
    case recognizerFailed(session: String, client: ClientIdentifier, reason: String)
}
