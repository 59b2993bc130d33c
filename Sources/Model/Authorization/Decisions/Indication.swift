/// How the person's answer reached the gate (DPV's `hasIndicationMethod`).
public enum Indication: String, Sendable, Codable, Hashable, CaseIterable {
    /// At the terminal of the process that asked, which showed its own prompt.
    case terminal
    /// At a terminal where `voicegate agent` runs.
    case agent
    /// By a desktop notification.
    case desktop
    /// A script answered in the person's place; only possible in advisory mode.
    case scriptedAgent
    /// `voicegate settings` or `voicegate reset`.
    case settings
    /// Root, for a user of the machine's own service (`voicegate settings --user`). Never the person's own choice.
    case administrator

    /// Of a decision in settings.
    public init(settlingFor user: UInt32, by caller: Caller) {
        self = caller.user == user ? .settings : .administrator
    }
}
