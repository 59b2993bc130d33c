/// What happens when a monitor's time has come.
public enum MonitorAction: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client is started, with the reason in its environment. Needs `always`.
    case start
    /// The person is told, and starts the client themselves. A yes while in use is enough.
    case notify
}
