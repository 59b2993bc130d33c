/// What happens to a monitor, as it is written down.
public enum MonitorOccurrence: Sendable, Hashable {
    case registered(by: Caller)
    /// By its client, by the person, or because the permission has ended.
    case removed(MonitorRemoval)
    /// It does not listen as long as the permission does not reach so far.
    case paused(RefusalCode)
    case resumed
    /// It was heard; what it is for is about to happen.
    case triggered
    /// It could not listen, or what it is for could not be done. `reason`: a sentence.
    case failed(reason: String)
    /// The client that it started has ended. `status` is the exit status, or 128 and the signal, as a shell says it.
    case exited(status: Int32)
}
