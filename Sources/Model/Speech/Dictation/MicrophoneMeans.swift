import Authorization

/// What earlier sessions have learnt of microphones: a handful of numbers each, of one user and one client and never
/// another's, kept as part of the voice profile and only as long as that was agreed to.
public protocol MicrophoneMeans: Sendable {
    /// - Parameter device: ALSA's PCM name.
    /// - Returns: `nil` where nothing was learnt.
    func mean(of device: String, for requester: Requester) async -> CepstralMean?

    /// Keeps what a session has learnt. What goes wrong with it never reaches the session.
    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime) async
}
