/// What polkit is asked about. The raw values are the actions of `Packaging/polkit/io.voicegate.policy`.
public enum PolkitAction: String, Sendable, Hashable, CaseIterable {
    /// Answering a prompt with a yes.
    case answer = "io.voicegate.answer"
    /// Changing what was decided.
    case settings = "io.voicegate.settings"
}
