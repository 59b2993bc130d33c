/// Where speech is recognised.
public enum SpeechEngine: Sendable, Hashable {
    /// In a worker of the service's own, which has no network.
    case ofService
    /// By somebody else, who thereby receives the audio.
    case outside(name: String)

    /// Who receives the audio; `nil`: nobody outside of the service.
    public var recipient: String? { if case .outside(let name) = self { name } else { nil } }
}
