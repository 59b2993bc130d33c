/// What is written down, each where it happens.
public enum LedgerEvent: Sendable {
    /// A request begins to wait for the person. Requests that join it are not written down.
    case asked(Prompt)
    /// The notice about to be shown says something else than the last one about the same.
    case noticeChanged(Prompt, previous: ShownNotice)
    /// A prompt is about to be shown; holds the notice word for word.
    case noticeShown(Prompt, asked: UInt64)
    /// The person said yes.
    case granted(Prompt, Scope, Fidelity, Indication, notice: UInt64)
    /// The person kept a yes that they had; `decision`: the record that made it, where it is known.
    case renewed(Prompt, Scope, Fidelity, Indication, notice: UInt64, decision: UInt64?)
    /// The person said no.
    case denied(Prompt, Indication, notice: UInt64)
    /// The person wants to be asked later.
    case deferred(Prompt, Indication, notice: UInt64)
    /// The person decided in settings, without a prompt. `terms` of a yes; `notice`: what settings show about the client.
    case decidedInSettings(DecisionKey, Verdict, Terms?, notice: Notice?, by: Caller)
    /// The person took an answer back: the status is `notDetermined` again. `decision`: the record that made it.
    case withdrawn(DecisionKey, notice: Notice?, decision: UInt64?, by: Caller)
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
    /// A request was refused by an administrator's policy.
    case refusedByPolicy(Requester, Resource, PolicyRule, repeated: Int)
    /// A policy begins to restrict a client that has a yes; the yes is kept and without effect. `decision`: its record.
    case restrictedByPolicy(DecisionKey, PolicyRule, decision: UInt64?)
    /// A policy ended a yes in use. Never the person's own choice. `leases`: what the sessions that end stood on.
    case revokedByAdministrator(DecisionKey, PolicyRule, leases: [String], decision: UInt64?)
    /// An administrator's policy came into force.
    case policyChanged(Policy, source: PolicyProvenance)
    /// A session is about to listen; nothing has been heard yet.
    case sessionStarted(SessionDescription)
    case sessionStopped(SessionDescription, SessionOutcome)
    /// The recogniser of a session died or gave up.
    case recognizerFailed(session: String, client: ClientIdentifier, user: UInt32? = nil, reason: String)
    case monitor(MonitorRegistration, MonitorOccurrence)
    /// Something of a session is about to be kept.
    case dataRetained(RetainedData)
    case dataNotKept(UnkeptData)
    case dataErased(ErasedData)
    /// A session is over whose client passes on what it gets, as it declares.
    case dataShared(SharedData)
    case requestReceived(RightsRequest)
    case requestAnswered(RightsRequest, RightsAnswer)
    case exportMade(ExportDescription)
    /// The service found a log that was not closed in order.
    case recovered(Recovery)
}
