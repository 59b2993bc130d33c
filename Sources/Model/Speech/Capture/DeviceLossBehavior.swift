/// What a stream does when its device goes away.
public enum DeviceLossBehavior: String, Sendable, Codable, Hashable {
    /// Ends with `failed`.
    case end
    /// Tells `deviceLost`, tries to open it again with back-off, and tells `deviceReturned`.
    case wait
}
