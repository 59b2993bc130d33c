/// Whether a monitor may listen now.
public enum MonitorPermission: Sendable, Hashable {
    case allowed
    /// Not now; it stays registered.
    case paused(RefusalCode)
    /// Not any more.
    case ended(MonitorRemoval)
}
