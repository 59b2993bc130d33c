/// What is written down, each where it happens.
public enum LedgerEvent: Sendable {
    /// A prompt is about to be shown; holds the notice word for word.
    case noticeShown(Prompt)
    /// The person said yes.
    case granted(Prompt, Scope, Fidelity, Indication, notice: UInt64)
    /// The person said no.
    case denied(Prompt, Indication, notice: UInt64)
    /// The person wants to be asked later.
    case deferred(Prompt, Indication, notice: UInt64)
    /// The person decided in settings, without a prompt. `terms` of a yes.
    case decidedInSettings(DecisionKey, Verdict, Terms?, by: Caller)
    /// The person took an answer back: the status is `notDetermined` again.
    case withdrawn(DecisionKey, by: Caller)
    /// A yes was used for the first time in a while; written at most once a day for each.
    case used(DecisionKey)
    /// A yes ended by itself: it was not used for too long, or its age cannot be told any more.
    case expired(DecisionKey, ExpiryReason)
    /// A client with a yes while using asked for always; the person is asked later.
    case upgradeRequested(Requester, Resource)
    /// A program that the package manager replaced kept its yes.
    case carriedOver(Requester, Resource, from: AllowedProgram)
    /// The person muted everything, or ended that.
    case muted(by: Caller)
    case unmuted(by: Caller)
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
    case monitor(MonitorRegistration, MonitorOccurrence)
    /// A session is over whose client passes on what it gets, as it declares.
    case dataShared(SharedData)
}
