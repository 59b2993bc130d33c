import Speech

/// What the process that learns a voice tells the service.
public enum EnrolmentReply: Sendable, Hashable {
    /// The model is loaded and the process is locked in.
    case ready
    /// The share of the work that is done, 0…1.
    case progress(Double)
    /// The last reply, as is `failed`.
    case learnt(Adaptation)
    case failed(EnrolmentError)
}
