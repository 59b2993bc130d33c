import SocketAPI

/// What a key asks for that the view cannot do by itself.
enum SettingsEffect: Sendable, Hashable {
    case quit
    /// The records about this client are shown now.
    case readRecords(client: String)
    case change(client: String, SettingsChange)
}
